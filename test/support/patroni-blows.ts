import type { Blow } from './patroni-trial.js';

/** The faults of a primary, by name. A fault with two forms alternates between them. */
export const BLOWS: Readonly<Record<'kill' | 'freeze' | 'cut' | 'switchover', Blow & { readonly title: string }>> = {
  kill: {
    title: 'kill -9 the primary: its machine, and the server alone in turn',
    strike: (primary, round) => primary.kill(round % 2 === 0 ? 'everything' : 'postgres'),
    mend: (primary, round) => {
      if (round % 2 === 0) primary.start();
    },
  },
  freeze: {
    title: 'stop the primary in its tracks and let it go on: server and Patroni, and Patroni alone in turn',
    strike: (primary, round) => {
      primary.freeze(round % 2 === 0 ? 'everything' : 'patroni');
    },
    mend: (primary) => {
      primary.thaw();
    },
  },
  cut: {
    title:
      'cut the primary off: from the cluster alone, so that the service still reaches it, and from everybody in turn',
    strike: (primary, round) => {
      primary.cut(round % 2 === 0 ? 'cluster' : 'everybody');
    },
    mend: (primary) => {
      primary.mend();
    },
  },
  switchover: {
    title: 'switch over on purpose',
    strike: (primary) => primary.switchOver(),
    mend: () => undefined,
  },
};

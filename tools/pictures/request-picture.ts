import { idOf } from './mermaid.ts';

/** The files whose functions a createPet calls, in the order of the first calls (`bench/measure/request-files.mjs --json`). */
export interface RequestFiles {
  readonly toStatement: readonly string[];
  readonly toAnswer: readonly string[];
}

/** Consecutive files of one app or library. */
interface Visit {
  readonly part: string;
  readonly files: string[];
}

/** The path of a request through apps and libraries, as Mermaid in Markdown. */
export function requestPicture({ toStatement, toAnswer }: RequestFiles): string {
  const there = visitsOf(toStatement);
  const back = visitsOf(toAnswer);
  const parts = [...new Set([...there, ...back].map(({ part }) => part))];
  return [
    '```mermaid',
    'sequenceDiagram',
    '  participant client',
    ...parts.map((part) => `  participant ${idOf(part)} as ${part}`),
    '  participant PostgreSQL',
    ...arrows('client', there, 'PostgreSQL: the statement'),
    ...arrows('PostgreSQL', back, 'client: the response'),
    '```',
  ].join('\n');
}

function visitsOf(files: readonly string[]): Visit[] {
  const visits: Visit[] = [];
  for (const file of files) {
    const [part, name] = file.split('/src/', 2) as [string, string];
    const last = visits.at(-1);
    if (last?.part === part) last.files.push(name);
    else visits.push({ part, files: [name] });
  }
  return visits;
}

function arrows(from: string, visits: readonly Visit[], end: string): string[] {
  const senders = [from, ...visits.map(({ part }) => idOf(part))];
  const targets = [...visits.map(({ part, files }) => `${idOf(part)}: ${files.join('<br/>')}`), end];
  return targets.map((target, index) => `  ${senders[index]}->>${target}`);
}

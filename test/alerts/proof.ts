import type { Proof } from '../support/proofs.js';
import type { Site } from './site.js';

/** The result of one test file: the alerts for each incident, and how long no alert fired before. */
export function alertProof(
  of: string,
  site: Site,
  quietSeconds: number,
  told: Readonly<Record<string, string>>,
): Proof {
  return {
    promise: `Each of the alerts ${of} tells its incident, and nothing else`,
    trial:
      'Two instances behind haproxy under a normal load, a real Prometheus with the shipped rules, in which a minute lasts ' +
      'two seconds: each incident is caused and made good again',
    command: 'npm run test:alerts',
    figures: { 'no alert in normal load': `${quietSeconds} s`, incidents: Object.keys(told).length, ...told },
    versions: { Prometheus: site.prometheus.version },
  };
}

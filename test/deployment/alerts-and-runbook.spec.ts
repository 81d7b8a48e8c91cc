import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const RUNBOOK = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
const LIVE_TESTS = join(ROOT, 'test/alerts');

interface Alert {
  readonly alert?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

const { groups } = parse(readFileSync(join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8')) as {
  groups: { rules: Alert[] }[];
};
const ALERTS = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);
const NAMES = [...new Set(ALERTS.map(({ alert }) => alert!))];

/** Only figures make these fire: one needs kube-state-metrics, and the other a thousand connections. */
const WITHOUT_INCIDENT = ['AnimalStoreBackup', 'AnimalStoreDescriptors'];

/** The section for an alert: for `AnimalStoreRequestsWait` it is `Requests wait`, with the anchor `#requests-wait`. */
function sectionOf(alert: string): string {
  const words = alert.replace('AnimalStore', '').replaceAll(/(?<!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.trim();
}

describe('the alerts', () => {
  test.each(ALERTS)('$alert leads to its section of the runbook', ({ alert, annotations }) => {
    expect(RUNBOOK).toContain(`\n## ${sectionOf(alert!)}\n`);
    const anchor = sectionOf(alert!).toLowerCase().replaceAll(' ', '-');
    expect(annotations.runbook_url).toBe(`https://animal-store.example/docs/runbook.md#${anchor}`);
  });

  test('are all that the runbook has sections for', () => {
    const sections = [...RUNBOOK.matchAll(/^## (?<title>.+)$/gm)].map(([, title]) => title);
    expect(sections.sort()).toEqual(NAMES.map(sectionOf).sort());
  });

  test('page only where callers are not served as the objectives promise', () => {
    const pages = ALERTS.filter(({ labels }) => labels.severity === 'critical').map(({ alert }) => alert);
    expect(pages).toEqual(['AnimalStoreOutage', 'AnimalStoreAvailability', 'AnimalStoreLatency']);
  });

  test.each(NAMES)('%s is made to fire by its incident, and by figures', (name) => {
    const live = readdirSync(LIVE_TESTS)
      .filter((file) => file.endsWith('.alert-spec.ts'))
      .map((file) => readFileSync(join(LIVE_TESTS, file), 'utf8'))
      .flatMap((text) => text.match(/(?:fires: |NOBODY_IS_SERVED = )\[[^\]]*\]/g) ?? []);
    expect([...live, ...WITHOUT_INCIDENT.map((each) => `'${each}'`)].join()).toContain(`'${name}'`);
    const figures = readFileSync(join(ROOT, 'deploy/prometheus/alerts.test.yaml'), 'utf8');
    expect(figures).toContain(`alertname="${name}", severity=`);
  });
});

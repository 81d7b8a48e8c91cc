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

/** The alerts of these files. */
function alertsOf(...files: string[]): Alert[] {
  return files.flatMap((file) => {
    const { groups } = parse(readFileSync(join(ROOT, 'deploy/prometheus', file), 'utf8')) as {
      groups: { rules: Alert[] }[];
    };
    return groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);
  });
}

const ALERTS = alertsOf('alerts.yaml', 'machines.yaml');
const NAMES = ALERTS.map(({ alert }) => alert!);

/** Only figures make these fire: they need backups, an archive or disks, and the exporters that watch them. */
const WITHOUT_INCIDENT = [
  'AnimalStoreBackup',
  'AnimalStoreBackupOld',
  'AnimalStoreArchiveFails',
  'AnimalStoreDiskFills',
];

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
    expect(pages).toEqual([
      'AnimalStoreOutage',
      'AnimalStoreAvailability',
      'AnimalStoreLatency',
      'AnimalStoreBalancerErrors',
    ]);
  });

  test.each(NAMES)('%s is made to fire by its incident, and by figures', (name) => {
    const live = readdirSync(LIVE_TESTS)
      .filter((file) => file.endsWith('.alert-spec.ts'))
      .map((file) => readFileSync(join(LIVE_TESTS, file), 'utf8'))
      .flatMap((text) => text.match(/fires: \[[^\]]*\]/g) ?? []);
    expect([...live, ...WITHOUT_INCIDENT.map((each) => `'${each}'`)].join()).toContain(`'${name}'`);
    const figures = ['alerts.test.yaml', 'machines.test.yaml']
      .map((file) => readFileSync(join(ROOT, 'deploy/prometheus', file), 'utf8'))
      .join('\n');
    expect(figures).toContain(`alertname="${name}", severity=`);
  });
});

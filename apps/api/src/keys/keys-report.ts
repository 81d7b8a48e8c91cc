import type { ApiKey, ApiKeyAuditEntry, ApiKeyRotation } from '@animal-store/auth';

/** The output of the commands: a text for people, and the same data for programs with `--json`, where ids are strings. */
export interface Report {
  readonly text: string;
  readonly json: unknown;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Longer names are cut in tables, so that the tables fit into 100 columns. */
const NAME_WIDTH = 28;

export function reportCreated(created: ApiKey, key: string, now: Date): Report {
  const text = [
    `Created ${nameOf(created)}. The key is shown this once, and kept nowhere:`,
    ...keyAndEnd(created, key, now),
  ].join('\n');
  return { text, json: { ...fieldsOf(created, now), key } };
}

export function reportRotated({ created, replaced }: ApiKeyRotation, key: string, now: Date): Report {
  const text = [
    `Rotated ${nameOf(created)}. The new key is shown this once, and kept nowhere:`,
    ...keyAndEnd(created, key, now),
    ...replaced.map((old) => `  replaces ${nameOf(old)}, which expires ${endOf(old, now)}`),
  ].join('\n');
  return { text, json: { ...fieldsOf(created, now), key, replaced: replaced.map((old) => fieldsOf(old, now)) } };
}

export function reportRevoked(revoked: readonly ApiKey[], now: Date): Report {
  const text =
    revoked.length === 0
      ? 'Nothing to revoke: it was revoked or had expired before.'
      : revoked.map((key) => `Revoked ${nameOf(key)}. Every instance refuses it within a second.`).join('\n');
  return { text, json: { revoked: revoked.map((key) => fieldsOf(key, now)) } };
}

export function reportList(keys: readonly ApiKey[], now: Date): Report {
  const rows = keys.map((key) => [
    key.id.toString(),
    shortened(key.name),
    key.hint === undefined ? '' : `${key.hint}…`,
    key.stateAt(now),
    key.createdAt.toISOString().slice(0, 10),
    key.expiresAt === undefined ? 'never' : fromNow(key.expiresAt, now),
    key.lastUsedAt === undefined ? 'never' : fromNow(key.lastUsedAt, now),
  ]);
  const text =
    rows.length === 0
      ? 'There are no keys yet: keys create --name <name> makes one.'
      : table(['ID', 'NAME', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'], rows);
  return { text, json: keys.map((key) => fieldsOf(key, now)) };
}

export function reportAudit(entries: readonly ApiKeyAuditEntry[]): Report {
  const rows = entries.map(({ at, actor, action, keyId, keyName }) => [
    at.toISOString().slice(0, 19) + 'Z',
    shortened(actor),
    action,
    keyId.toString(),
    shortened(keyName),
  ]);
  return {
    text: rows.length === 0 ? 'Nothing was done to the keys yet.' : table(['AT', 'BY', 'ACTION', 'ID', 'NAME'], rows),
    json: entries.map(({ id, at, actor, action, keyId, keyName, details }) => {
      return { id: id.toString(), at, actor, action, keyId: keyId.toString(), keyName, details };
    }),
  };
}

function fieldsOf(key: ApiKey, now: Date) {
  return {
    id: key.id.toString(),
    name: key.name,
    hint: key.hint ?? null,
    state: key.stateAt(now),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    revokedAt: key.revokedAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
  };
}

function keyAndEnd(created: ApiKey, key: string, now: Date): string[] {
  return ['', `  ${key}`, '', `  expires  ${endOf(created, now)}`];
}

function endOf({ expiresAt }: ApiKey, now: Date): string {
  return expiresAt === undefined ? 'never' : `${expiresAt.toISOString()} (${fromNow(expiresAt, now)})`;
}

function nameOf({ id, name, hint }: ApiKey): string {
  return `${JSON.stringify(name)} (id ${id}${hint === undefined ? '' : `, ${hint}…`})`;
}

function shortened(name: string): string {
  return name.length > NAME_WIDTH ? `${name.slice(0, NAME_WIDTH - 1)}…` : name;
}

/** The difference in the largest unit that fits, as in `in 89 d` or `5 min ago`. */
function fromNow(instant: Date, now: Date): string {
  const distance = instant.getTime() - now.getTime();
  const [unit, milliseconds] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? UNITS[3];
  const amount = `${Math.round(Math.abs(distance) / milliseconds)} ${unit}`;
  return distance > 0 ? `in ${amount}` : `${amount} ago`;
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

import { BuiltProgram } from '../support/built-server.js';
import { addKeyed, type KeyedAddition } from '../support/keyed-additions.js';
import { nextPage } from '../support/pages.js';
import { clientOf } from '../support/running-app.js';

/** The link to the next page, which a client keeps from a page that it has read. */
interface KeptCursor {
  readonly next: string;
  /** The ids of the next page at that time. */
  readonly ids: readonly bigint[];
}

/** API keys, one in each state. */
export interface GivenKeys {
  readonly shop: string;
  /** A replaced key that is still in its grace period. */
  readonly replaced: string;
  readonly replacing: string;
  readonly revoked: string;
}

const FULL_PAGES = ['/v1/pets?limit=7', '/v1/pets?limit=7&status=pending', '/v1/pets?limit=1&status=available'];

/** What clients received before a backup and still hold. All of it must work on the restored service. */
export class BackupWitness {
  private readonly cursors: KeptCursor[] = [];
  private restores = 0;

  private constructor(readonly keys: GivenKeys) {}

  /** Creates keys on a server with the `keys` command. */
  static async onServer(environment: Record<string, string>): Promise<BackupWitness> {
    const shop = await keysCommand(environment, 'create', '--name', 'shop');
    const replaced = await keysCommand(environment, 'create', '--name', 'rotated', '--expires-in', '90d');
    const replacing = await keysCommand(environment, 'rotate', 'rotated', '--grace', '24h');
    const revoked = await keysCommand(environment, 'create', '--name', 'revoked');
    await keysCommand(environment, 'revoke', 'revoked');
    return new BackupWitness({ shop, replaced, replacing, revoked });
  }

  /** Follows links as a client does, and keeps them. The pages are full, so they cannot change. */
  async keepCursors(url: string): Promise<void> {
    const client = clientOf(url);
    for (const page of FULL_PAGES) {
      const first = await client.request(page, { key: this.keys.shop });
      await first.arrayBuffer();
      const next = nextPage(first);
      if (next === undefined) throw new Error(`There is no page behind ${page}`);
      this.cursors.push({ next, ids: await idsOf(await client.request(next, { key: this.keys.shop })) });
    }
  }

  /**
   * Lists what no longer works on a restored service; the list is empty if everything works.
   *
   * @param additions the additions that were acknowledged before the backup
   * @param highest the greatest id in the backup
   */
  async faultsOf(url: string, additions: readonly KeyedAddition[], highest: bigint): Promise<string[]> {
    return [
      ...(await this.faultsOfKeys(url)),
      ...(await this.faultsOfCursors(url)),
      ...(await this.faultsOfRepeats(url, additions)),
      ...(await this.faultsOfNewIds(url, highest)),
    ];
  }

  private async faultsOfKeys(url: string): Promise<string[]> {
    const faults: string[] = [];
    const { shop, replaced, replacing, revoked } = this.keys;
    for (const [key, expected] of [
      [shop, 200],
      [replaced, 200],
      [replacing, 200],
      [revoked, 401],
    ] as const) {
      const { status } = await clientOf(url).request('/v1/pets?limit=1', { key });
      if (status !== expected) faults.push(`a key was answered with ${status} instead of ${expected}`);
    }
    return faults;
  }

  private async faultsOfCursors(url: string): Promise<string[]> {
    const faults: string[] = [];
    for (const { next, ids } of this.cursors) {
      const answer = await clientOf(url).request(next, { key: this.keys.shop });
      if (answer.status !== 200) faults.push(`${next} was answered with ${answer.status}`);
      else if ((await idsOf(answer)).join() !== ids.join()) faults.push(`${next} shows other pets`);
    }
    return faults;
  }

  private async faultsOfRepeats(url: string, additions: readonly KeyedAddition[]): Promise<string[]> {
    const faults: string[] = [];
    for (const { idempotencyKey, sent, answered } of additions) {
      const repeated = await addKeyed(url, this.keys.shop, idempotencyKey, sent);
      const body = await repeated.text();
      if (repeated.status !== 201 || repeated.headers.get('idempotent-replayed') !== 'true' || body !== answered)
        faults.push(`the repeated creation ${idempotencyKey} was answered with ${repeated.status} ${body}`);
    }
    const [one] = additions;
    if (one === undefined) return faults;
    const other = await addKeyed(url, this.keys.shop, one.idempotencyKey, '{"name":"another","categoryId":1}');
    if (other.status !== 422) faults.push(`another body under a used key was answered with ${other.status}`);
    return faults;
  }

  private async faultsOfNewIds(url: string, highest: bigint): Promise<string[]> {
    const answer = await addKeyed(url, this.keys.shop, `restore-${++this.restores}`, '{"name":"new","categoryId":1}');
    const id = BigInt(/"id":([0-9]+)/.exec(await answer.text())?.[1] ?? 0);
    return answer.status === 201 && id > highest ? [] : [`a new pet got the id ${id}, and ${highest} was given before`];
  }
}

async function idsOf(answer: Response): Promise<bigint[]> {
  return [...(await answer.text()).matchAll(/"id":([0-9]+)/g)].map(([, id]) => BigInt(id!));
}

async function keysCommand(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const program = new BuiltProgram('cli/keys', environment, [...words, '--json']);
  const code = await program.ended();
  if (code !== 0) throw new Error(`keys ${words.join(' ')} ended with ${code}: ${program.printed}`);
  return (JSON.parse(program.answered) as { key?: string }).key ?? '';
}

import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../../support/end-process.js';
import { freePort } from '../../support/free-port.js';
import { nodeConfiguration, type BalancedServer, type PatroniSettings } from './patroni-configuration.js';
import { unprivilegedUser } from '../../support/postgres-server.js';
import { signalTree } from './process-tree.js';
import { SilenceableProxy } from '../../support/silenceable-proxy.js';

/** What a Patroni node reports about its server. */
export interface NodeStatus {
  readonly state: string;
  /** `master` in older and `primary` in newer versions of Patroni, once the server accepts writes. */
  readonly role: string;
  readonly timeline?: number;
  /** Whether etcd lists this server among those that may become the primary without losing a commit. */
  readonly sync_standby?: boolean;
}

/** The links between a node and everything else, in both directions. */
interface Links {
  readonly etcd: SilenceableProxy;
  readonly postgres: SilenceableProxy;
  readonly rest: SilenceableProxy;
  readonly clients: SilenceableProxy;
  readonly balancer: SilenceableProxy;
}

/** One server of the cluster with its Patroni, on a simulated machine that can die, freeze or be cut off. */
export class PatroniNode {
  private patroni: ChildProcess | undefined;

  private constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly restPort: number,
    private readonly postgresPort: number,
    private readonly links: Links,
  ) {}

  /** Writes the configuration of the node; nothing runs yet. */
  static async create(
    name: string,
    parent: string,
    bin: string,
    etcdUrl: string,
    settings: PatroniSettings,
  ): Promise<PatroniNode> {
    const folder = join(parent, name);
    mkdirSync(folder, { mode: 0o700 });
    const [postgresPort, restPort] = [await freePort(), await freePort()];
    const to = (port: number) => SilenceableProxy.open(`http://127.0.0.1:${port}`);
    const links: Links = {
      etcd: await SilenceableProxy.open(etcdUrl),
      postgres: await to(postgresPort),
      rest: await to(restPort),
      clients: await to(postgresPort),
      balancer: await to(restPort),
    };
    const places = {
      ...{ name, folder, bin, postgresPort, restPort },
      postgresLink: portOf(links.postgres),
      restLink: portOf(links.rest),
      etcdLink: portOf(links.etcd),
    };
    writeFileSync(join(folder, 'patroni.yml'), nodeConfiguration(places, settings));
    const owner = unprivilegedUser();
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
    return new PatroniNode(name, folder, restPort, postgresPort, links);
  }

  /** The ports of the node for clients of the database. */
  get balanced(): BalancedServer {
    const { clients, balancer } = this.links;
    return { name: this.name, postgresPort: portOf(clients), restPort: portOf(balancer) };
  }

  /** The port of the server without any link, for the test only. */
  get directPort(): number {
    return this.postgresPort;
  }

  start(): void {
    const log = openSync(join(this.folder, 'patroni.log'), 'a');
    this.patroni = spawn('patroni', [join(this.folder, 'patroni.yml')], {
      ...unprivilegedUser(),
      cwd: this.folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', log, log],
    });
  }

  /** The status that its Patroni reports, without any link; `undefined` if Patroni does not answer. */
  async status(): Promise<NodeStatus | undefined> {
    return (await this.ask('/patroni')) as NodeStatus | undefined;
  }

  /** Whether its Patroni accepts clients that want the primary, and its server is the primary. */
  async isPrimary(): Promise<boolean> {
    const status = (await this.ask('/primary')) as NodeStatus | undefined;
    return status !== undefined && (status.role === 'master' || status.role === 'primary');
  }

  /** Kills the server, and by default its Patroni too, as a loss of power does. */
  async kill(what: 'postgres' | 'everything' = 'everything'): Promise<void> {
    if (what === 'everything' && this.patroni !== undefined) await endProcess(this.patroni, 'SIGKILL');
    this.signalPostgres('SIGKILL');
  }

  /** Suspends the processes wherever they are (SIGSTOP). */
  freeze(what: 'patroni' | 'everything' = 'everything'): void {
    this.patroni?.kill('SIGSTOP');
    if (what === 'everything') this.signalPostgres('SIGSTOP');
  }

  thaw(): void {
    this.signalPostgres('SIGCONT');
    this.patroni?.kill('SIGCONT');
  }

  /** Cuts the node off without closing connections. @param from `cluster`: clients still reach the node */
  cut(from: 'cluster' | 'everybody'): void {
    const { etcd, postgres, rest, clients, balancer } = this.links;
    for (const link of [etcd, postgres, rest]) link.silence();
    if (from === 'everybody') for (const link of [clients, balancer]) link.silence();
  }

  mend(): void {
    for (const link of Object.values(this.links) as SilenceableProxy[]) link.speak();
  }

  /** Tells Patroni to make another node the primary. */
  async switchOver(): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: this.name }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`No switchover: ${answer.status} ${text}`);
  }

  async remove(): Promise<void> {
    await this.kill();
    for (const link of Object.values(this.links) as SilenceableProxy[]) link.close();
  }

  /** The last lines of the log of its Patroni. */
  get lastLines(): string {
    return readFileSync(join(this.folder, 'patroni.log'), 'utf8').split('\n').slice(-15).join('\n');
  }

  private async ask(path: string): Promise<unknown> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.restPort}${path}`, { signal: AbortSignal.timeout(1_000) });
      const text = await answer.text();
      return answer.ok ? (JSON.parse(text) as unknown) : undefined;
    } catch {
      return undefined;
    }
  }

  private signalPostgres(signal: NodeJS.Signals): void {
    let file: string;
    try {
      file = readFileSync(join(this.folder, 'data/postmaster.pid'), 'utf8');
    } catch {
      return;
    }
    signalTree(Number(file.split('\n')[0]), signal);
  }
}

function portOf({ url }: SilenceableProxy): number {
  return Number(new URL(url).port);
}

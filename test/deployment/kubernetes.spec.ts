import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { describeUnless } from '../support/describe-unless.js';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/kubernetes');

/** The built-in kinds of Kubernetes, with the schemas of Kubernetes. */
const MODELS = {
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const describeWithKubectl = describeUnless(
  spawnSync('kubectl', ['version', '--client']).status === 0
    ? undefined
    : 'The overlay of Kustomize is not tried: kubectl is not installed',
);

/** The components that an overlay may add. */
const COMPONENTS = ['ingress', 'monitoring'];
const MANIFESTS = ['.', ...COMPONENTS].flatMap((folder) =>
  manifestsIn(folder).map((file) => read(folder, file) as Manifest),
);
const KUBERNETES = MANIFESTS.filter(({ kind }) => kind in MODELS);

function manifestsIn(folder: string): string[] {
  return readdirSync(join(FOLDER, folder)).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
}

function read(folder: string, file: string): unknown {
  const [document, ...more] = parseAllDocuments(readFileSync(join(FOLDER, folder, file), 'utf8'));
  if (document === undefined || more.length > 0 || document.errors.length > 0)
    throw new Error(`${file} is no manifest`);
  return document.toJS();
}

function manifest<Kind extends keyof typeof MODELS>(kind: Kind): InstanceType<(typeof MODELS)[Kind]> {
  const found = MANIFESTS.filter((each) => each.kind === kind);
  if (found.length !== 1) throw new Error(`There are ${found.length} manifests of the kind ${kind}`);
  return found[0] as unknown as InstanceType<(typeof MODELS)[Kind]>;
}

/** Throws if the manifest does not match the schema of its kind. */
function validate({ kind, ...data }: Manifest): void {
  const Model = MODELS[kind as keyof typeof MODELS] as unknown as new (data: object) => { validate(): void };
  new Model({ kind, ...data }).validate();
}

const deployment = manifest('Deployment').spec;
const pod = deployment?.template.spec;
const job = manifest('Job').spec?.template.spec;
const backup = manifest('CronJob').spec.jobTemplate.spec?.template;
const labels = deployment?.template.metadata?.labels;

describe('the manifests', () => {
  test.each(['.', ...COMPONENTS])('are all of them in the kustomization of %s', (folder) => {
    const { resources } = read(folder, 'kustomization.yaml') as { resources: string[] };
    expect(resources.toSorted()).toEqual(manifestsIn(folder).toSorted());
  });

  test.each(KUBERNETES)('$kind $metadata.name keeps the schema of $apiVersion', (each) => {
    expect(() => {
      validate(each);
    }).not.toThrow();
  });

  describeWithKubectl('in the overlay of docs/operations.md', () => {
    const DIGEST = `sha256:${'0'.repeat(64)}`;
    const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const overlay = /^```yaml\n(?<text># deploy\/production\/.*?)^```$/ms.exec(operations)?.groups?.['text'] ?? '';

    test('run the image that it names, and have what its components add', () => {
      const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
      const text = overlay.replaceAll('../kubernetes', relative(folder, FOLDER)).replace('sha256:…', DIGEST);
      writeFileSync(join(folder, 'kustomization.yaml'), text);
      const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout.match(/image: \S*animal-store\S*/g)).toEqual(
        Array.from({ length: 2 }, () => `image: registry.example/animal-store@${DIGEST}`),
      );
      expect(stdout.match(/^kind: /gm)).toHaveLength(MANIFESTS.length);
    });
  });

  test('select the pods of the deployment', () => {
    const selectors = [
      deployment?.selector.matchLabels,
      manifest('Service').spec?.selector,
      manifest('PodDisruptionBudget').spec?.selector?.matchLabels,
      ...(pod?.topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector?.matchLabels),
    ];
    expect(selectors).toHaveLength(5);
    for (const selector of selectors) expect(labels).toEqual(expect.objectContaining(selector));
    for (const { metadata } of [manifest('Job').spec?.template ?? {}, backup ?? {}])
      expect(metadata?.labels).not.toEqual(expect.objectContaining({ 'app.kubernetes.io/name': 'animal-store' }));
  });

  test('open no more connections than the database takes', () => {
    const pool = Number(/^DATABASE_POOL_SIZE=([0-9]+)$/m.exec(readFileSync(join(ROOT, '.env.example'), 'utf8'))?.[1]);
    const cluster = MANIFESTS.find(({ kind }) => kind === 'Cluster') as unknown as {
      spec: { postgresql: { parameters: { max_connections: string } } };
    };
    const autoscaler = manifest('HorizontalPodAutoscaler').spec;
    const pods = autoscaler.maxReplicas + Number(deployment?.strategy?.rollingUpdate?.maxSurge);
    // As docs/operations.md says under "Connections": the migration, the backup, those of superusers.
    const needed = pods * pool + 2 + 1 + 3;
    expect(needed).toBeLessThanOrEqual(Number(cluster.spec.postgresql.parameters.max_connections));
    expect(readFileSync(join(FOLDER, 'horizontal-pod-autoscaler.yaml'), 'utf8')).toContain(` need ${needed} of `);
    // A pod uses one core: the autoscaler acts before that, whatever a pod requests.
    expect(autoscaler.metrics?.[0]?.resource?.target).toEqual({ type: 'AverageValue', averageValue: '700m' });
    expect(autoscaler.minReplicas).toBe(2);
  });

  test('end a migration that hangs, and remove one that is over', () => {
    const { activeDeadlineSeconds, ttlSecondsAfterFinished } = manifest('Job').spec ?? {};
    expect(activeDeadlineSeconds).toBeGreaterThan(0);
    expect(ttlSecondsAfterFinished).toBeGreaterThan(0);
  });

  test('keep backups on a volume that is there', () => {
    const claim = backup?.spec?.volumes?.find(({ name }) => name === 'backup')?.persistentVolumeClaim?.claimName;
    expect(claim).toBe(manifest('PersistentVolumeClaim').metadata?.name);
  });

  test('let the operator of Prometheus scrape the pods under the name that the rules expect', () => {
    const monitor = MANIFESTS.find(({ kind }) => kind === 'PodMonitor') as unknown as {
      spec: { jobLabel: string; selector: { matchLabels: object }; podMetricsEndpoints: object[] };
    };
    expect(labels).toEqual(expect.objectContaining(monitor.spec.selector.matchLabels));
    expect(labels?.[monitor.spec.jobLabel]).toBe('animal-store');
    expect(monitor.spec.podMetricsEndpoints).toEqual([{ port: 'metrics', interval: '15s' }]);
    expect(manifest('Service').spec?.ports?.map(({ name, targetPort }) => [name, targetPort])).toContainEqual([
      'metrics',
      'metrics',
    ]);
  });

  test('send requests to the port of the image', () => {
    const port = Number(/^EXPOSE ([0-9]+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1]);
    const [container] = pod?.containers ?? [];
    expect(container?.ports).toContainEqual({ name: 'http', containerPort: port });
    const ports = [
      manifest('Service').spec?.ports?.[0]?.targetPort,
      ...[container?.startupProbe, container?.livenessProbe, container?.readinessProbe].map(
        (probe) => probe?.httpGet?.port,
      ),
    ];
    expect(new Set(ports)).toEqual(new Set(['http']));
  });

  test.each([
    ['the service', pod],
    ['the migration', job],
    ['the backup', backup?.spec],
  ])('give %s no more than it needs', (_who, spec) => {
    expect(spec?.automountServiceAccountToken).toBe(false);
    expect(spec?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const { securityContext, resources } of spec?.containers ?? []) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const amounts of [resources?.requests, resources?.limits]) {
        expect(amounts).toHaveProperty('memory');
        expect(amounts).toHaveProperty('ephemeral-storage');
      }
    }
  });

  test('run a migration that is there', () => {
    const program = job?.containers[0]?.command?.at(-1) ?? '';
    expect(job?.containers[0]?.command).toContain('--disable-sigusr1');
    expect(existsSync(join(ROOT, program.replace('dist/', '').replace(/[.]js$/, '.ts')))).toBe(true);
  });

  describe.each([
    ['the service', pod, deployment?.template, 'NODE_EXTRA_CA_CERTS'],
    ['the migration', job, manifest('Job').spec?.template, 'NODE_EXTRA_CA_CERTS'],
    ['the backup', backup?.spec, backup, 'PGSSLROOTCERT'],
  ])('let %s', (_who, spec, template, authorities) => {
    const cluster = MANIFESTS.find(({ kind }) => kind === 'Cluster')?.metadata.name;
    const [container] = spec?.containers ?? [];
    const secret = (volume: string) => spec?.volumes?.find(({ name }) => name === volume)?.secret;
    const folder = (volume: string) => container?.volumeMounts?.find(({ name }) => name === volume)?.mountPath;

    test('take the address of the database from the secret that CloudNativePG makes', () => {
      expect(secret('database')).toEqual({ secretName: `${cluster}-app` });
      const words = [...(container?.env ?? []).map(({ value }) => value), ...(container?.args ?? [])].join();
      expect(words).toContain(`${folder('database')}/uri`);
    });

    test('trust the authority of that cluster alone, whose key it does not see', () => {
      const items = [{ key: 'ca.crt', path: 'ca.crt' }];
      expect(secret('database-ca')).toEqual({ secretName: `${cluster}-ca`, items });
      expect(container?.env).toContainEqual({ name: 'PGSSLMODE', value: 'verify-full' });
      expect(container?.env).toContainEqual({ name: authorities, value: `${folder('database-ca')}/ca.crt` });
    });

    test('talk to that cluster and to the name service, and to nobody else', () => {
      const selector = manifest('NetworkPolicy').spec?.podSelector?.matchExpressions?.[0];
      expect(selector?.values).toContain(template?.metadata?.labels?.[selector?.key ?? '']);
      const targets = manifest('NetworkPolicy').spec?.egress?.map(({ to, ports }) => [
        to?.[0]?.podSelector?.matchLabels,
        ports?.map(({ port }) => port),
      ]);
      expect(targets).toEqual([
        [{ 'cnpg.io/cluster': cluster }, [5432]],
        [{ 'k8s-app': 'kube-dns' }, [53, 53]],
      ]);
    });
  });
});

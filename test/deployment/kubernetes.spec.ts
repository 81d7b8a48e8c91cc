import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/kubernetes');

/** The built-in kinds of Kubernetes, with the schemas of Kubernetes. */
const MODELS = { Deployment, HorizontalPodAutoscaler, Job, NetworkPolicy, PodDisruptionBudget, Service };

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const FILES = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml');
const MANIFESTS = FILES.map((file) => read(file) as Manifest);
const KUBERNETES = MANIFESTS.filter(({ kind }) => kind in MODELS);

function read(file: string): unknown {
  const [document, ...more] = parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'));
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
const labels = deployment?.template.metadata?.labels;

describe('the manifests', () => {
  test('are all of them in the kustomization', () => {
    const { resources } = read('kustomization.yaml') as { resources: string[] };
    expect(resources.toSorted()).toEqual(FILES.toSorted());
  });

  test.each(KUBERNETES)('$kind $metadata.name keeps the schema of $apiVersion', (each) => {
    expect(() => {
      validate(each);
    }).not.toThrow();
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
    const jobLabels = manifest('Job').spec?.template.metadata?.labels;
    expect(jobLabels).not.toEqual(expect.objectContaining({ 'app.kubernetes.io/name': 'animal-store' }));
  });

  test('open the port of the metrics', () => {
    const [container] = pod?.containers ?? [];
    const port = Number(container?.env?.find(({ name }) => name === 'METRICS_PORT')?.value);
    expect(container?.ports).toContainEqual({ name: 'metrics', containerPort: port });
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
    ['the service', pod],
    ['the migration', job],
  ])('let %s', (_who, spec) => {
    const cluster = MANIFESTS.find(({ kind }) => kind === 'Cluster')?.metadata.name;
    const [container] = spec?.containers ?? [];
    const secret = (volume: string) => spec?.volumes?.find(({ name }) => name === volume)?.secret;
    const folder = (volume: string) => container?.volumeMounts?.find(({ name }) => name === volume)?.mountPath;

    test('take the address of the database from the secret that CloudNativePG makes', () => {
      expect(secret('database')).toEqual({ secretName: `${cluster}-app` });
      expect(container?.env).toContainEqual({ name: 'DATABASE_URL_FILE', value: `${folder('database')}/uri` });
    });

    test('trust the authority of that cluster alone, whose key it does not see', () => {
      const items = [{ key: 'ca.crt', path: 'ca.crt' }];
      expect(secret('database-ca')).toEqual({ secretName: `${cluster}-ca`, items });
      expect(container?.env).toContainEqual({ name: 'PGSSLMODE', value: 'verify-full' });
      expect(container?.env).toContainEqual({ name: 'PGSSLROOTCERT', value: `${folder('database-ca')}/ca.crt` });
    });

    test('talk to that cluster and to the name service, and to nobody else', () => {
      const selector = manifest('NetworkPolicy').spec?.podSelector?.matchExpressions?.[0];
      const pods = (spec === pod ? deployment : manifest('Job').spec)?.template.metadata?.labels;
      expect(selector?.values).toContain(pods?.[selector?.key ?? '']);
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

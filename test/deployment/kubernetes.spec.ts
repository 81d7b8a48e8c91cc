import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';

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
});

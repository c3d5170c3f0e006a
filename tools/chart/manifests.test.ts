import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

import { podOf, renderedObjects, type RenderedObject } from './rendered-objects.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const objects = renderedObjects(await readFile(resolve(DEPLOY, 'smalt.yaml'), 'utf8'));
const deployments = objects.filter(({ kind }) => kind === 'Deployment');
const NAMES = ['smalt-console', 'smalt-ha-service', 'smalt-hypervisor-operator', 'virt-api', 'virt-controller'];
const FILES = ['smalt', 'kept', 'ovs-agent', 'libvirt', 'logs'];
const CERTIFICATES = 'smalt-certificates';

it('are those of the control plane', () => {
  expect(deployments.map(({ metadata }) => metadata.name).toSorted()).toEqual(NAMES);
});

it.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
  'let nobody reach %s but at its named ports',
  (name, deployment) => {
    const ports = podOf(deployment)?.containers.flatMap((container) => container.ports?.map((port) => port.name) ?? []);

    const policy = find('NetworkPolicy', name);

    expect(policy?.spec).toMatchObject({
      podSelector: { matchLabels: selectorOf(deployment) },
      ingress: [{ ports: ports?.map((port) => ({ port })) }],
    });
  },
);

it('let nobody reach the Jobs that make certificates', () => {
  const { jobTemplate } = Object(find('CronJob', CERTIFICATES)?.spec);

  expect(find('NetworkPolicy', CERTIFICATES)?.spec).toEqual({
    podSelector: { matchLabels: jobTemplate.spec.template.metadata.labels },
    policyTypes: ['Ingress'],
  });
});

it('have no Job, which who has changed an image in the file could not apply again', () => {
  expect(objects.filter(({ kind }) => kind === 'Job')).toEqual([]);
  // It does the same, within as many minutes as the pages say.
  expect(find('CronJob', CERTIFICATES)?.spec).toMatchObject({ schedule: '*/5 * * * *' });
});

it.each(['smalt-hypervisor-operator', 'virt-api', 'virt-controller'])('never drain all of %s away at once', (name) => {
  const deployment = find('Deployment', name);

  expect(deployment?.spec).toMatchObject({ replicas: 2 });
  expect(find('PodDisruptionBudget', name)?.spec).toMatchObject({
    maxUnavailable: 1,
    selector: { matchLabels: selectorOf(deployment) },
  });
});

it('replace the HA service only after the one before has gone, for they would share a file', () => {
  expect(find('Deployment', 'smalt-ha-service')?.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
});

it('leave what guards definitions to a file of its own, for who deletes the rest has to keep it', async () => {
  const guard = renderedObjects(await readFile(resolve(DEPLOY, 'definitions-policy.yaml'), 'utf8'));

  expect(objects.filter(({ metadata }) => metadata.name === 'smalt-definitions')).toEqual([]);
  expect(guard.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'ValidatingAdmissionPolicy smalt-definitions',
    'ValidatingAdmissionPolicyBinding smalt-definitions',
  ]);
});

it('leave what has to outlive an uninstall to a file of its own, and say so at its head', async () => {
  const text = await readFile(resolve(DEPLOY, 'kept.yaml'), 'utf8');
  const kept = renderedObjects(text);

  expect(kept.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Namespace smalt-libvirt',
    'Namespace smalt-smoke-tests',
    'ConfigMap smalt-console-signed-out',
    'PersistentVolumeClaim smalt-ha-service',
  ]);
  expect(kept.filter((object) => !isKept(object))).toEqual([]);
  expect(objects.filter((object) => isKept(object) || object.kind === 'Namespace')).toEqual([]);
  expect(text.split('\n---\n')[0]).toContain('do not delete by this file');
});

it('name what they need first at the head of the rest', async () => {
  const head = (await readFile(resolve(DEPLOY, 'smalt.yaml'), 'utf8')).split('\n---\n')[0];

  expect(head).toMatch(/-f deploy\/kept[.]yaml\n# +kubectl apply --server-side -f deploy\/smalt[.]yaml$/);
});

it.each([...FILES, 'definitions-policy'])('do not say of what is in %s that Helm looks after it', async (name) => {
  const all = renderedObjects(await readFile(resolve(DEPLOY, `${name}.yaml`), 'utf8'));

  const managers = all.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/managed-by']);
  expect(new Set(managers)).toEqual(new Set(['kubectl']));
});

it.each(FILES)('say at the head of %s what comes first', async (name) => {
  const head = (await readFile(resolve(DEPLOY, `${name}.yaml`), 'utf8')).split('\n---\n')[0];

  expect(head).toContain('kubectl label namespace smalt-system pod-security.kubernetes.io/enforce=privileged\n');
  expect(head).toContain('-f deploy/helm/smalt/files/crds -f deploy/definitions-policy.yaml\n');
});

it('limit the memory that each part takes', () => {
  const limits = objects.flatMap(
    (object) => podOf(object)?.containers.map(({ resources }) => resources?.limits?.['memory']) ?? [],
  );

  expect(limits.length).toBeGreaterThan(deployments.length);
  for (const limit of limits) expect(limit).toMatch(/^\d+[MG]i$/);
});

function find(kind: string, name: string): RenderedObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata.name === name);
}

/** Whether an uninstall by Helm leaves it. */
function isKept({ metadata }: RenderedObject): boolean {
  return metadata.annotations?.['helm.sh/resource-policy'] === 'keep';
}

/** By what the pods of a part are found. */
function selectorOf(object: RenderedObject | undefined): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': object?.metadata.name ?? '', 'app.kubernetes.io/part-of': 'smalt' };
}

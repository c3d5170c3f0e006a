import { afterAll, beforeAll, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it.each([
  { mode: 'foreground', left: '' },
  { mode: 'background', left: '' },
  { mode: 'orphan', left: 'configmap/child-orphan\n' },
])('deletes an owner with --cascade=$mode', async ({ mode, left }) => {
  await bed.output(['create', 'configmap', `owner-${mode}`]);
  const uid = await bed.output(['get', 'configmap', `owner-${mode}`, '-o', 'jsonpath={.metadata.uid}']);
  await bed.output(['create', '-f', '-'], { input: child(mode, uid) });

  await bed.output(['delete', 'configmap', `owner-${mode}`, `--cascade=${mode}`]);

  await expect
    .poll(() => bed.output(['get', 'configmap', '-l', `of=${mode}`, '-o', 'name']), { timeout: 10_000 })
    .toBe(left);
  expect((await bed.run(['get', 'configmap', `owner-${mode}`])).stderr).toContain('NotFound');
});

it('makes a namespace with all that belongs to one, and deletes it with its content', async () => {
  await bed.output(['create', 'namespace', 'short-lived']);
  await bed.output(['-n', 'short-lived', 'create', 'configmap', 'content']);
  await expect
    .poll(() => bed.output(['-n', 'short-lived', 'get', 'sa,cm', '-o', 'name']), { timeout: 10_000 })
    .toBe('serviceaccount/default\nconfigmap/content\nconfigmap/kube-root-ca.crt\n');

  await bed.output(['delete', 'namespace', 'short-lived', '--timeout=10s']);

  expect((await bed.run(['get', 'namespace', 'short-lived'])).stderr).toContain('namespaces "short-lived" not found');
  expect((await bed.run(['-n', 'short-lived', 'create', 'configmap', 'x'])).stderr).toContain(
    'namespaces "short-lived" not found',
  );
});

it('refuses to delete a namespace that the server needs', async () => {
  expect((await bed.run(['delete', 'namespace', 'default'])).stderr).toBe(
    'Error from server (Forbidden): namespaces "default" is forbidden: this namespace may not be deleted\n',
  );
});

it('creates a custom kind, uses it at once, and deletes it with its objects', async () => {
  await bed.output(['create', '-f', '-'], { input: definition() });
  await bed.output(['wait', '--for=condition=Established', 'crd/gadgets.cascade.example.dev', '--timeout=10s']);
  await bed.output(['create', '-f', '-'], {
    input: { apiVersion: 'cascade.example.dev/v1', kind: 'Gadget', metadata: { name: 'one' } },
  });
  const listed = await bed.output(['get', 'gadgets', '-o', 'name']);

  await bed.output(['delete', 'crd', 'gadgets.cascade.example.dev', '--timeout=10s']);

  expect(listed).toBe('gadget.cascade.example.dev/one\n');
  expect((await bed.run(['get', 'gadgets'])).stderr).toContain('Error from server (NotFound)');
});

function child(mode: string, uid: string): string {
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${mode}`, uid, blockOwnerDeletion: true },
  ];
  const metadata = { name: `child-${mode}`, labels: { of: mode }, ownerReferences };
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

function definition(): string {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.cascade.example.dev' },
    spec: {
      group: 'cascade.example.dev',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget', singular: 'gadget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
}

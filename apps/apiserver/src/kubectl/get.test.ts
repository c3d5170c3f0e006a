import { afterAll, beforeAll, expect, it } from 'vitest';

import { machine } from '../fixtures/machine-definition.ts';
import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
  const items = [machine('a', 3), machine('b', 1), machine('c', 2)];
  await bed.output('create -f -', { input: { apiVersion: 'v1', kind: 'List', items } });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it.concurrent('prints the columns of the kind', async () => {
  const lines = (await bed.output(['get', 'machines'])).split('\n');

  expect(lines[0]).toMatch(/^NAME +CPUS +PHASE +AGE$/);
  expect(lines[1]).toMatch(/^a +3 +\d+s$/);
});

it.concurrent('prints more columns when asked for', async () => {
  expect(await bed.output(['get', 'mc', '-o', 'wide'])).toMatch(/^NAME +CPUS +PHASE +IMAGE +AGE$/m);
});

it.concurrent.each([
  {
    args: ['-o', 'name'],
    text: 'machine.bench.example.dev/a\nmachine.bench.example.dev/b\nmachine.bench.example.dev/c\n',
  },
  { args: ['-o', 'jsonpath={.items[*].spec.cpus}'], text: '3 1 2' },
  { args: ['--sort-by=.spec.cpus', '--no-headers', '-o', 'custom-columns=:metadata.name'], text: 'b\nc\na\n' },
  { args: ['-l', 'app=bench,app!=other', '-o', 'jsonpath={.items[*].metadata.name}'], text: 'a b c' },
  { args: ['-l', 'app in (none)', '-o', 'name'], text: '' },
  { args: ['--field-selector=metadata.name=b', '-o', 'name'], text: 'machine.bench.example.dev/b\n' },
  {
    args: ['--field-selector=spec.hypervisor=hv-1', '--chunk-size=1', '-o', 'jsonpath={.items[*].metadata.name}'],
    text: 'a b c',
  },
  { args: ['-A', '-o', 'go-template={{len .items}}'], text: '3' },
])('prints with $args', async ({ args, text }) => {
  expect(await bed.output(['get', 'machines', ...args])).toBe(text);
});

it.concurrent('prints an object as YAML and as JSON', async () => {
  const yaml = await bed.output(['get', 'machine', 'a', '-o', 'yaml']);
  const json = await bed.output(['get', 'machine', 'a', '-o', 'json']);

  expect(yaml).toMatch(/^apiVersion: bench\.example\.dev\/v1\nkind: Machine\nmetadata:/);
  expect(JSON.parse(json)).toMatchObject({ kind: 'Machine', spec: { cpus: 3, replicas: 1 } });
});

it.concurrent('prints everything of the category all', async () => {
  expect(await bed.output(['get', 'all'])).toContain('machine.bench.example.dev/a');
});

it.concurrent('shows labels as columns', async () => {
  const [all, one] = await Promise.all([bed.output('get mc --show-labels'), bed.output('get mc -L app')]);

  expect(all).toMatch(/^NAME +CPUS +PHASE +AGE +LABELS\na +3 +\d+s +app=bench$/m);
  expect(one).toMatch(/^NAME +CPUS +PHASE +AGE +APP\na +3 +\d+s +bench$/m);
});

it.concurrent('sorts rows by a field', async () => {
  const rows = (await bed.output('get mc --sort-by=.spec.cpus --no-headers')).trim().split('\n');

  expect(rows.map((row) => row.split(' ')[0])).toEqual(['b', 'c', 'a']);
});

it.concurrent('shows the namespaces when it lists all of them', async () => {
  expect(await bed.output('get mc -A')).toMatch(/^NAMESPACE +NAME +CPUS +PHASE +AGE\ndefault +a +3 /);
});

it.concurrent('prints a list as YAML', async () => {
  const text = await bed.output('get mc -o yaml');

  expect(text).toMatch(/^apiVersion: v1\nitems:\n- apiVersion: bench\.example\.dev\/v1\n {2}kind: Machine\n/);
  expect(text).toMatch(/^kind: List$/m);
});

it.concurrent('shows the status and the scale of an object', async ({ skip }) => {
  skip(bed.clientMinor < 24, 'this kubectl has no flag --subresource');

  const [status, scale] = await Promise.all([
    bed.output('get mc a --subresource=status --no-headers'),
    bed.output('get mc a --subresource=scale'),
  ]);

  expect(status).toMatch(/^a +3 /);
  expect(scale).toMatch(/^NAME +DESIRED +AVAILABLE +AGE\na +1 +0 +\d+s$/m);
});

it.concurrent('gets objects of several kinds, and tells of those that are missing', async () => {
  const result = await bed.run('get mc/a serviceaccount/default configmap/nothing');

  expect(result.stdout).toMatch(/^machine\.bench\.example\.dev\/a +3 /m);
  expect(result.stdout).toMatch(/^serviceaccount\/default /m);
  expect(result.stderr).toBe('Error from server (NotFound): configmaps "nothing" not found\n');
});

it.concurrent('reads a path as it is', async () => {
  const [object, health] = await Promise.all([
    bed.output('get --raw /apis/bench.example.dev/v1/namespaces/default/machines/a'),
    bed.output('get --raw /readyz'),
  ]);

  expect(JSON.parse(object)).toMatchObject({ kind: 'Machine', metadata: { name: 'a' } });
  expect(health).toBe('ok');
});

it.concurrent('reads objects from a file that names them', async () => {
  expect(await bed.output('get -f - -o name', { input: machine('b') })).toBe('machine.bench.example.dev/b\n');
});

it.concurrent('says which fields cannot be selected by', async () => {
  const result = await bed.run(['get', 'machines', '--field-selector=spec.cpus=3']);

  expect(result.stderr).toContain('field label not supported: spec.cpus');
});

it.concurrent('says that an object does not exist', async () => {
  const result = await bed.run(['get', 'machine', 'nobody']);

  expect(result.stderr).toBe('Error from server (NotFound): machines.bench.example.dev "nobody" not found\n');
});

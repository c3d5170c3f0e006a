import { afterAll, beforeAll, expect, it } from 'vitest';

import { machine } from '../fixtures/machine-definition.ts';
import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
  for (const [name, cpus] of [
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ] as const) {
    await bed.output(['create', '-f', '-'], { input: machine(name, cpus) });
  }
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('prints the columns of the kind', async () => {
  const lines = (await bed.output(['get', 'machines'])).split('\n');

  expect(lines[0]).toMatch(/^NAME +CPUS +PHASE +AGE$/);
  expect(lines[1]).toMatch(/^a +3 +\d+s$/);
});

it('prints more columns when asked for', async () => {
  expect(await bed.output(['get', 'mc', '-o', 'wide'])).toMatch(/^NAME +CPUS +PHASE +IMAGE +AGE$/m);
});

it.each([
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

it('prints an object as YAML and as JSON', async () => {
  const yaml = await bed.output(['get', 'machine', 'a', '-o', 'yaml']);
  const json = await bed.output(['get', 'machine', 'a', '-o', 'json']);

  expect(yaml).toMatch(/^apiVersion: bench\.example\.dev\/v1\nkind: Machine\nmetadata:/);
  expect(JSON.parse(json)).toMatchObject({ kind: 'Machine', spec: { cpus: 3, replicas: 1 } });
});

it('prints everything of the category all', async () => {
  expect(await bed.output(['get', 'all'])).toContain('machine.bench.example.dev/a');
});

it('describes an object with its events', async () => {
  const text = await bed.output(['describe', 'machine', 'a']);

  expect(text).toMatch(/^Name: +a\nNamespace: +default\nLabels: +app=bench/);
  expect(text).toMatch(/Events: +<none>/);
});

it('says which fields cannot be selected by', async () => {
  const result = await bed.run(['get', 'machines', '--field-selector=spec.cpus=3']);

  expect(result.stderr).toContain('field label not supported: spec.cpus');
});

it('says that an object does not exist', async () => {
  const result = await bed.run(['get', 'machine', 'nobody']);

  expect(result.stderr).toBe('Error from server (NotFound): machines.bench.example.dev "nobody" not found\n');
});

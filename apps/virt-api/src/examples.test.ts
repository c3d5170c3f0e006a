import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { isJsonObject, type JsonObject } from '@smalt/json';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';

import { startPluggedBed, type PluggedBed } from './fixtures/plugged-bed.ts';

const DIRECTORY = resolve(import.meta.dirname, '../../../docs/examples');
const PLACES: Readonly<Record<string, string>> = {
  VirtualMachine: 'namespaces/default/virtualmachines',
  VirtualMachineInstanceReplicaSet: 'namespaces/default/virtualmachineinstancereplicasets',
  VirtualMachineInstanceMigration: 'namespaces/default/virtualmachineinstancemigrations',
  VirtualMachineClusterInstancetype: 'virtualmachineclusterinstancetypes',
  VirtualMachineClusterPreference: 'virtualmachineclusterpreferences',
  MigrationPolicy: 'migrationpolicies',
};
// In this order what is chosen is there before the machine that chooses it.
const files = (await readdir(DIRECTORY)).toSorted();
let bed: PluggedBed;

beforeAll(async () => {
  bed = await startPluggedBed();
  // What is moved has to run, and to be movable.
  const conditions = [{ type: 'LiveMigratable', status: 'True' }];
  await bed.instance('demo', { status: { phase: 'Running', nodeName: 'n1', conditions } });
}, 60_000);

afterAll(() => bed[Symbol.asyncDispose]());

it.each(files)('%s of docs/examples is taken as it is', async (file) => {
  const example = await read(file);

  const created = await create(example);

  expect(created).toMatchObject({ kind: example['kind'], spec: { ...withoutTemplate(example['spec']) } });
});

it('show every kind that people write', async () => {
  const kinds = await Promise.all(files.map(async (file) => (await read(file))['kind']));

  expect(new Set(kinds)).toEqual(new Set(Object.keys(PLACES)));
});

it('refuses an example as soon as something is wrong with it', async () => {
  const example = await read('replica-set.yaml');
  const spec = { ...Object(example['spec']), selector: { matchLabels: { fleet: 'other' } } };

  await expect(create({ ...example, metadata: { name: 'other' }, spec })).rejects.toThrow('selector does not match');
});

async function read(file: string): Promise<JsonObject> {
  const example: unknown = parse(await readFile(join(DIRECTORY, file), 'utf8'));
  if (!isJsonObject(example)) throw new TypeError(`${file} is no object`);
  return example;
}

async function create(example: JsonObject): Promise<unknown> {
  const { apiVersion, kind } = example;
  const place = typeof kind === 'string' ? PLACES[kind] : undefined;
  const group = typeof apiVersion === 'string' ? apiVersion : '';
  const path = `/apis/${group}/${place ?? ''}?fieldValidation=Strict`;
  return await bed.admin.request({ method: 'POST', path, body: JSON.stringify(example) });
}

/** Templates are filled in; the rest of an example stays what it was. */
function withoutTemplate(spec: unknown): JsonObject {
  const { template: _template, ...rest } = Object(spec);
  return rest;
}

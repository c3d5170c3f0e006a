import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Schema } from '@smalt/resource';
import { describe, expect, it } from 'vitest';

import { migrationPolicy } from './migration-policy.ts';
import { virtualMachineClusterInstancetype } from './virtual-machine-cluster-instancetype.ts';
import { virtualMachineClusterPreference } from './virtual-machine-cluster-preference.ts';
import { virtualMachineInstanceMigration } from './virtual-machine-instance-migration.ts';
import { virtualMachineInstancePreset } from './virtual-machine-instance-preset.ts';
import { virtualMachineInstanceReplicaSet } from './virtual-machine-instance-replica-set.ts';
import { virtualMachineInstance } from './virtual-machine-instance.ts';
import { virtualMachineInstancetype } from './virtual-machine-instancetype.ts';
import { virtualMachinePreference } from './virtual-machine-preference.ts';
import { virtualMachine } from './virtual-machine.ts';

const MODELS = join(
  dirname(createRequire(import.meta.url).resolve('@kubevirt-ui/kubevirt-api/package.json')),
  'kubevirt/models',
);

/** Types whose JSON is not the object that the client library makes of them. */
const LEAVES: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['Date', 'string'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['object', 'object'],
  ['K8sIoApimachineryPkgApisMetaV1ObjectMeta', 'object'],
]);

describe('the models of the KubeVirt client', () => {
  it('are read', () => {
    expect(fieldsOf('V1HostDisk').map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'capacity: string',
      'path: string',
      'shared: boolean',
      'type: string',
    ]);
  });
});

describe.each([
  { model: 'V1VirtualMachineInstance', schema: virtualMachineInstance.schema },
  { model: 'V1VirtualMachine', schema: virtualMachine.schema },
  { model: 'V1VirtualMachineInstanceMigration', schema: virtualMachineInstanceMigration.schema },
  { model: 'V1VirtualMachineInstanceReplicaSet', schema: virtualMachineInstanceReplicaSet.schema },
  { model: 'V1VirtualMachineInstancePreset', schema: virtualMachineInstancePreset.schema },
  { model: 'V1alpha1MigrationPolicy', schema: migrationPolicy.schema },
  { model: 'V1beta1VirtualMachineInstancetype', schema: virtualMachineInstancetype.schema },
  { model: 'V1beta1VirtualMachineClusterInstancetype', schema: virtualMachineClusterInstancetype.schema },
  { model: 'V1beta1VirtualMachinePreference', schema: virtualMachinePreference.schema },
  { model: 'V1beta1VirtualMachineClusterPreference', schema: virtualMachineClusterPreference.schema },
])('$model of the KubeVirt client', ({ model, schema }) => {
  it('has no field that we lack, and none of another type', () => {
    const differences: string[] = [];

    compare(model, schema, { path: model, differences });

    expect(differences).toEqual([]);
  });
});

interface Place {
  readonly path: string;
  readonly differences: string[];
}

function compare(type: string, schema: Schema, { path, differences }: Place): void {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  const map = /^\{ \[key: string\]: (.+) \}$/.exec(type)?.[1];
  if (list !== undefined) {
    if (schema.items === undefined) differences.push(`${path} is no list`);
    else compare(list, schema.items, { path: `${path}[]`, differences });
  } else if (map !== undefined) {
    if (typeof schema.additionalProperties !== 'object') differences.push(`${path} is no map`);
    else compare(map, schema.additionalProperties, { path: `${path}[*]`, differences });
  } else if (LEAVES.has(type) || type.endsWith('Enum')) {
    if (!matchesLeaf(LEAVES.get(type) ?? 'string', schema)) differences.push(`${path} is no ${type}`);
  } else compareFields(type, schema, { path, differences });
}

function compareFields(type: string, schema: Schema, { path, differences }: Place): void {
  for (const { name, type: fieldType } of fieldsOf(type)) {
    const field = schema.properties?.[name];
    if (field === undefined) differences.push(`${path}.${name} is missing`);
    else compare(fieldType, field, { path: `${path}.${name}`, differences });
  }
}

function matchesLeaf(leaf: string, schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return leaf === 'string' || leaf === 'number' || leaf === 'object';
  if (leaf === 'number') return schema.type === 'integer' || schema.type === 'number';
  return schema.type === leaf;
}

function fieldsOf(model: string): readonly { readonly name: string; readonly type: string }[] {
  const source = readFileSync(join(MODELS, `${model}.ts`), 'utf8');
  const body = new RegExp(`export interface ${model} \\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
  return [...body.matchAll(/^ {2}(\w+)\??: (.+);$/gm)].map(([, member = '', type = '']) => {
    // Members with names that the language or the generator does not like go by another name in JSON.
    const renamed = new RegExp(`^ {4}${member}: !exists\\(json, '(\\w+)'\\)`, 'm').exec(source)?.[1];
    return { name: renamed ?? member, type };
  });
}

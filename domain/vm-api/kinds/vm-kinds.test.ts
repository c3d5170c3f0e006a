import { readdirSync, readFileSync } from 'node:fs';

import { isJsonObject, type JsonObject } from '@smalt/json';
import { complaintsAbout, type Kind } from '@smalt/kind';
import type { Resource } from '@smalt/resource';
import {
  crdResource,
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@smalt/structural-schema';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { instanceCases } from './cases/instance-cases.ts';
import { instancetypeCases, policyCases, preferenceCases } from './cases/instancetype-and-policy-cases.ts';
import { migrationCases, replicaSetCases } from './cases/migration-and-replica-set-cases.ts';
import { poolCases, presetCases } from './cases/pool-and-preset-cases.ts';
import { virtualMachineCases } from './cases/virtual-machine-cases.ts';
import { migrationPolicy } from './migration-policy.ts';
import { virtualMachineInstanceMigration } from './virtual-machine-instance-migration.ts';
import { virtualMachineInstancePreset } from './virtual-machine-instance-preset.ts';
import { virtualMachineInstanceReplicaSet } from './virtual-machine-instance-replica-set.ts';
import { virtualMachineInstance } from './virtual-machine-instance.ts';
import { virtualMachineInstancetype } from './virtual-machine-instancetype.ts';
import { virtualMachinePool } from './virtual-machine-pool.ts';
import { virtualMachinePreference } from './virtual-machine-preference.ts';
import { virtualMachine } from './virtual-machine.ts';
import { vmKinds } from './vm-kinds.ts';

const EXAMPLES = new URL('../examples/', import.meta.url);

describe.each([
  { what: 'an instance', kind: virtualMachineInstance, cases: instanceCases },
  { what: 'a virtual machine', kind: virtualMachine, cases: virtualMachineCases },
  { what: 'a migration', kind: virtualMachineInstanceMigration, cases: migrationCases },
  { what: 'a replica set', kind: virtualMachineInstanceReplicaSet, cases: replicaSetCases },
  { what: 'a pool', kind: virtualMachinePool, cases: poolCases },
  { what: 'a preset', kind: virtualMachineInstancePreset, cases: presetCases },
  { what: 'an instance type', kind: virtualMachineInstancetype, cases: instancetypeCases },
  { what: 'a preference', kind: virtualMachinePreference, cases: preferenceCases },
  { what: 'a migration policy', kind: migrationPolicy, cases: policyCases },
])('$what', ({ kind, cases }) => {
  const { strategy } = served(kind, kind.versions[0].name);

  it.each(cases)('$title', (row) => {
    expect(complaintsAbout(strategy, row).toSorted()).toEqual(row.errors.toSorted());
  });
});

describe.each(vmKinds)('the definition of $kind', (kind) => {
  const definition = defaultCustomResourceDefinition(kind.crd());

  it('is one that Kubernetes takes', () => {
    expect(validateCustomResourceDefinition(definition)).toEqual([]);
  });

  it('fits into the annotation in which kubectl apply keeps what it applied', () => {
    expect(JSON.stringify(kind.crd()).length).toBeLessThan(262_144);
  });
});

describe('the examples', () => {
  const resources = new Map<string, Resource>(
    vmKinds.flatMap((kind) =>
      kind.versions.map(
        ({ name }) => [JSON.stringify([`${kind.group}/${name}`, kind.kind]), served(kind, name)] as const,
      ),
    ),
  );

  it.each(examples())('$name is accepted, and nothing in it is unknown', ({ object }) => {
    const resource = resources.get(JSON.stringify([object['apiVersion'], object['kind']]));
    if (resource === undefined) throw new Error('the example is of no kind of ours');

    const { unknownFields } = resource.strategy.prune(object);

    expect(unknownFields).toEqual([]);
    expect(complaintsAbout(resource.strategy, { title: '', object: placed(object), errors: [] })).toEqual([]);
  });
});

describe('a field that nobody knows', () => {
  it('is dropped and named', () => {
    const { strategy } = served(virtualMachineInstance, 'v1');

    const { object, unknownFields } = strategy.prune({ spec: { domain: { devices: { floppies: [] } } } });

    expect(unknownFields).toEqual(['spec.domain.devices.floppies']);
    expect(object).toEqual({ spec: { domain: { devices: {} } } });
  });

  it('is kept in the metadata of a template', () => {
    const { strategy } = served(virtualMachine, 'v1');
    const written = { spec: { template: { metadata: { labels: { app: 'a' }, creationTimestamp: null } } } };

    expect(strategy.prune(written)).toEqual({ object: written, unknownFields: [] });
  });
});

describe('a virtual machine that was never started', () => {
  it('is shown as stopped once it has a status', () => {
    const { strategy } = served(virtualMachine, 'v1');

    expect(strategy.default({ status: {} })).toEqual({ status: { printableStatus: 'Stopped' } });
  });
});

function served(kind: Kind, version: string): Resource {
  return crdResource(defaultCustomResourceDefinition(kind.crd()), version);
}

function examples(): readonly { readonly name: string; readonly object: JsonObject }[] {
  return readdirSync(EXAMPLES).flatMap((file) =>
    parseAllDocuments(readFileSync(new URL(file, EXAMPLES), 'utf8')).map((document, index) => {
      const object: unknown = document.toJS();
      if (!isJsonObject(object)) throw new TypeError(`${file} holds something else than objects`);
      return { name: `${file}, object ${index + 1},`, object };
    }),
  );
}

/** What a server adds before it looks: a namespace, and a name where there is none. */
function placed(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  return {
    ...object,
    metadata: { name: 'made-up', namespace: 'default', ...(isJsonObject(metadata) ? metadata : {}) },
  };
}

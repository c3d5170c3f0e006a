import { readFile } from 'node:fs/promises';

import { isJsonObject, type JsonObject } from '@smalt/json';
import { complaintsAbout, type Kind } from '@smalt/kind';
import type { Resource } from '@smalt/resource';
import {
  crdResource,
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@smalt/structural-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { ovsNodeCases } from './cases/ovs-node-cases.ts';
import { ovsNode } from './ovs-node.ts';

describe('an OVSNode', () => {
  const { strategy } = served(ovsNode);

  it.each(ovsNodeCases)('$title', (row) => {
    expect(complaintsAbout(strategy, row).toSorted()).toEqual(row.errors.toSorted());
  });

  it('is accepted as agents report it, with nothing dropped', async () => {
    const object = await example();

    const { object: pruned, unknownFields } = strategy.prune(object);

    expect(unknownFields).toEqual([]);
    expect(pruned).toEqual(object);
    expect(complaintsAbout(strategy, { title: '', object, old: object, isStatus: true, errors: [] })).toEqual([]);
  });
});

describe('the definition of OVSNode', () => {
  it('is one that Kubernetes takes', () => {
    expect(validateCustomResourceDefinition(defaultCustomResourceDefinition(ovsNode.crd()))).toEqual([]);
  });
});

describe('kubectl get ovsnodes', () => {
  it('shows what an operator looks for', async () => {
    const object = await example();

    const row = served(ovsNode)
      .columns.filter((column) => column.priority === 0 && column.name !== 'Age')
      .map((column) => [column.name, column.cell(object, new Date(0))]);

    expect(row).toEqual([
      ['Ready', 'True'],
      ['OVS', '3.4.1'],
      ['DPDK', true],
      ['OVN', true],
      ['Flows', 3015],
      ['Issue', 'Orphan port detected: qvo-abc123'],
    ]);
  });
});

function served(kind: Kind): Resource {
  return crdResource(defaultCustomResourceDefinition(kind.crd()), kind.versions[0].name);
}

async function example(): Promise<JsonObject> {
  const text = await readFile(new URL('../examples/hypervisor-node-01.yaml', import.meta.url), 'utf8');
  const object: unknown = parse(text);
  if (!isJsonObject(object)) throw new TypeError('the example is an object');
  return object;
}

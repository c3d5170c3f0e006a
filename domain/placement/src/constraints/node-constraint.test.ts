import { describe, expect, it } from 'vitest';

import { readNodeEntry } from '../cluster/node-entry.ts';
import { labelledNode, node, pod } from '../fixtures/objects.ts';
import type { Node } from '../node.ts';
import type { PodSpec } from '../pod.ts';
import { nodeConstraint } from './node-constraint.ts';

const MISMATCH = `node(s) didn't match Pod's node affinity/selector`;

describe('nodeConstraint', () => {
  it.each<{ what: string; nodeSelector: Record<string, string>; isOk: boolean }>([
    { what: 'has the label', nodeSelector: { disk: 'ssd' }, isOk: true },
    { what: 'has another value', nodeSelector: { disk: 'hdd' }, isOk: false },
    { what: 'lacks the label', nodeSelector: { gpu: 'yes' }, isOk: false },
    { what: 'lacks a label called like a method', nodeSelector: { toString: 'x' }, isOk: false },
  ])('looks at the node selector: the node $what', ({ nodeSelector, isOk }) => {
    expect(objections({ nodeSelector })).toEqual(isOk ? [] : [MISMATCH]);
  });

  it.each([
    { operator: 'In', key: 'disk', values: ['ssd', 'nvme'], isOk: true },
    { operator: 'In', key: 'disk', values: ['hdd'], isOk: false },
    { operator: 'NotIn', key: 'disk', values: ['ssd'], isOk: false },
    { operator: 'NotIn', key: 'gpu', values: ['x'], isOk: true },
    { operator: 'Exists', key: 'disk', isOk: true },
    { operator: 'DoesNotExist', key: 'disk', isOk: false },
    { operator: 'Gt', key: 'generation', values: ['6'], isOk: true },
    { operator: 'Gt', key: 'generation', values: ['7'], isOk: false },
    { operator: 'Lt', key: 'generation', values: ['8'], isOk: true },
    { operator: 'Lt', key: 'disk', values: ['8'], isOk: false },
    { operator: 'Like', key: 'disk', values: ['s'], isOk: false },
  ])('reads $operator of node affinity on $key', ({ operator, key, values, isOk }) => {
    const requirement = { operator, key, ...(values === undefined ? {} : { values }) };

    expect(objections(required([{ matchExpressions: [requirement] }]))).toEqual(isOk ? [] : [MISMATCH]);
  });

  it.each([
    {
      what: 'one of several terms holds',
      terms: [{ matchFields: [named('n9')] }, { matchFields: [named('n1')] }],
      isOk: true,
    },
    { what: 'a term is empty', terms: [{}], isOk: false },
    { what: 'there is no term', terms: [], isOk: false },
  ])('when $what', ({ terms, isOk }) => {
    expect(objections(required(terms))).toEqual(isOk ? [] : [MISMATCH]);
  });

  it.each([
    { toleration: { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, isOk: true },
    { toleration: { key: 'k', value: 'v' }, isOk: true },
    { toleration: { key: 'k', operator: 'Exists' }, isOk: true },
    { toleration: { operator: 'Exists' }, isOk: true },
    { toleration: { key: 'k', value: 'w' }, isOk: false },
    { toleration: { key: 'other', operator: 'Exists' }, isOk: false },
    { toleration: { key: 'k', operator: 'Exists', effect: 'NoExecute' }, isOk: false },
    { toleration: { value: 'v' }, isOk: false },
  ])('weighs $toleration against a taint', ({ toleration, isOk }) => {
    const tainted = node('n1', { spec: { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] } });

    expect(objections({ tolerations: [toleration] }, tainted)).toEqual(
      isOk ? [] : ['node(s) had untolerated taint {k: v}'],
    );
  });
});

function objections(
  spec: Partial<PodSpec>,
  target: Node = labelledNode('n1', { disk: 'ssd', generation: '7' }),
): readonly string[] {
  return nodeConstraint(pod('p', spec))(readNodeEntry(target, new Map()));
}

function required(nodeSelectorTerms: readonly object[]): Partial<PodSpec> {
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function named(name: string) {
  return { key: 'metadata.name', operator: 'In', values: [name] };
}

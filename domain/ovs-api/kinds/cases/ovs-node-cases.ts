import type { JsonObject, JsonValue } from '@smalt/json';

import type { KindCase } from '@smalt/kind';

export const ovsNodeCases: readonly KindCase[] = [
  { title: 'needs no more than the name of its node', object: node({ nodeRef: { name: 'node1' } }), errors: [] },
  { title: 'needs a spec', object: node(), errors: ['spec: Required value'] },
  { title: 'needs a node', object: node({}), errors: ['spec.nodeRef: Required value'] },
  {
    title: 'needs a node with a name',
    object: node({ nodeRef: { name: '' } }),
    errors: ['spec.nodeRef.name: Invalid value: "": spec.nodeRef.name in body should be at least 1 chars long'],
  },
  {
    title: 'takes conditions of no more than type and status',
    ...report({ conditions: [{ type: 'Ready', status: 'True' }] }),
  },
  {
    title: 'takes a condition once only',
    ...report(
      {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'Ready', status: 'False' },
        ],
      },
      ['status.conditions[1]: Duplicate value: {"type":"Ready"}'],
    ),
  },
  {
    title: 'takes no condition that is maybe',
    ...report({ conditions: [{ type: 'Ready', status: 'Maybe' }] }, [
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown"',
    ]),
  },
  {
    title: 'takes no bridge without a name',
    ...report({ bridges: [{ ports: 2 }] }, ['status.bridges[0].name: Required value']),
  },
  {
    title: 'takes no fewer flows than none',
    ...report({ bridges: [{ name: 'br-int', flows: -1 }] }, [
      'status.bridges[0].flows: Invalid value: -1: bridges[0].flows in body should be greater than or equal to 0',
    ]),
  },
  {
    title: 'takes no table that OpenFlow does not have',
    ...report({ flowStats: { flowsPerTable: [{ table: 256, flows: 1 }] } }, [
      'status.flowStats.flowsPerTable[0].table: Invalid value: 256: flowStats.flowsPerTable[0].table in body should be less than or equal to 255',
    ]),
  },
  {
    title: 'takes no issue without a message',
    ...report({ issues: [{ severity: 'Warning' }] }, ['status.issues[0].message: Required value']),
  },
  {
    title: 'takes no time that is none',
    ...report({ issues: [{ severity: 'Warning', message: 'a', detectedAt: 'now' }] }, [
      'status.issues[0].detectedAt: Invalid value: "now": issues[0].detectedAt in body must be of type date-time: "now"',
    ]),
  },
];

function node(spec?: JsonValue): JsonObject {
  const head = {
    apiVersion: 'ovs.c5c3.io/v1alpha1',
    kind: 'OVSNode',
    metadata: { name: 'node1', namespace: 'default' },
  };
  return spec === undefined ? head : { ...head, spec };
}

function report(status: JsonValue, errors: readonly string[] = []): Omit<KindCase, 'title'> {
  const old = node({ nodeRef: { name: 'node1' } });
  return { old, object: { ...old, status }, isStatus: true, errors };
}

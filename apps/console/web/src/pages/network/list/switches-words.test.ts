import type { OVSNode } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { switchesWords } from './switches-words.ts';

it.each([
  [['True'], '1 switch, all healthy'],
  [['True', 'True'], '2 switches, all healthy'],
  [['True', 'False', 'Unknown'], '3 switches, 2 to look at'],
] as const)('of switches that are ready %j says "%s"', (ready, words) => {
  expect(switchesWords(ready.map((status) => node(status)))).toBe(words);
});

function node(status: 'True' | 'False' | 'Unknown'): OVSNode {
  return {
    apiVersion: 'ovs.c5c3.io/v1alpha1',
    kind: 'OVSNode',
    metadata: { name: 'n1' },
    spec: { nodeRef: { name: 'n1' } },
    status: { conditions: [{ type: 'Ready', status }] },
  };
}

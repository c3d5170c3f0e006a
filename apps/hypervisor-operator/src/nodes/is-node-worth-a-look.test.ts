import { shareStructure } from '@smalt/controller-runtime';
import { expect, it } from 'vitest';

import { testNode, type NodeParts } from '../fixtures/fleet-objects.ts';
import { isNodeWorthALook } from './is-node-worth-a-look.ts';

it.each<{ what: string; before?: NodeParts; after: NodeParts; isWorthIt: boolean }>([
  { what: 'nothing but a version', after: {}, isWorthIt: false },
  { what: 'a label', after: { labels: { a: '1' } }, isWorthIt: true },
  { what: 'an annotation', after: { annotations: { a: '1' } }, isWorthIt: true },
  { what: 'an address', after: { addresses: [['InternalIP', '10.0.0.1']] }, isWorthIt: true },
  { what: 'a taint', after: { taints: [{ key: 'a', effect: 'NoExecute' }] }, isWorthIt: true },
  { what: 'its termination', after: { terminating: 'True' }, isWorthIt: true },
  { what: 'its deletion', after: { deletionTimestamp: '2026-03-01T12:00:00Z' }, isWorthIt: true },
  {
    what: 'a termination that was called off',
    before: { terminating: 'True' },
    after: { terminating: 'False' },
    isWorthIt: true,
  },
  { what: 'a termination that is not one', before: {}, after: { terminating: 'False' }, isWorthIt: false },
])('looks at a node again after a change of $what: $isWorthIt', ({ before = {}, after, isWorthIt }) => {
  const old = testNode('n1', before);
  const current = shareStructure(old, testNode('n1', after));

  expect(isNodeWorthALook({ key: 'n1', old, current })).toBe(isWorthIt);
});

it('looks at every node that comes or goes', () => {
  const node = testNode('n1');

  expect(isNodeWorthALook({ key: 'n1', old: undefined, current: node })).toBe(true);
  expect(isNodeWorthALook({ key: 'n1', old: node, current: undefined })).toBe(true);
});

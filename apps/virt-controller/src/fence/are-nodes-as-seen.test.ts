import type { Node } from '@smalt/placement';
import { fenceNote } from '@smalt/vm-lifecycle';
import { expect, it } from 'vitest';

import { areNodesAsSeen } from './are-nodes-as-seen.ts';

const off = fenced(node('boot-1', '2026-01-01T00:00:00Z'));

it.each([
  { what: 'what the cache has', now: off, expected: true },
  { what: 'another boot', now: { ...off, status: { nodeInfo: { bootID: 'boot-2' } } }, expected: false },
  { what: 'a later heartbeat', now: node('boot-1', '2026-01-01T00:01:00Z', off), expected: false },
  { what: 'no proof any more', now: node('boot-1', '2026-01-01T00:00:00Z'), expected: false },
  { what: 'no such node', now: undefined, expected: false },
  { what: 'a change of something else', now: labelled(off), expected: true },
])('a node that was off, of which the API shows $what, is as seen: $expected', async ({ now, expected }) => {
  const asked: unknown[] = [];
  const nodes = {
    list: async (options: unknown) => {
      asked.push(options);
      return { apiVersion: 'v1', kind: 'NodeList', metadata: {}, items: now === undefined ? [] : [now] };
    },
  };
  const { signal } = new AbortController();

  const isAsSeen = await areNodesAsSeen({ cache: new Map([['n1', off]]), nodes }, ['n1'], signal);

  expect([isAsSeen, asked.length]).toEqual([expected, 1]);
});

function node(bootID: string, heartbeat: string, like?: Node): Node {
  const annotations = { ...like?.metadata.annotations, 'kubevirt.io/heartbeat': heartbeat };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', annotations }, status: { nodeInfo: { bootID } } };
}

function fenced(each: Node): Node {
  const noted = Object.entries(fenceNote(each, 0)).flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
  return {
    ...each,
    metadata: { ...each.metadata, annotations: { ...each.metadata.annotations, ...Object.fromEntries(noted) } },
  };
}

function labelled(each: Node): Node {
  return { ...each, metadata: { ...each.metadata, labels: { 'kubevirt.io/schedulable': 'false' } } };
}

import { expect, it } from 'vitest';

import type { HandledNode } from './handled-node.ts';
import { powerProofs } from './prove-off.ts';

const FENCED = { 'smalt.dev/fenced-at': at(10), 'kubevirt.io/heartbeat': at(0) };
const BOOT = { ...FENCED, 'smalt.dev/fenced-boot': 'b1', 'smalt.dev/fenced-heartbeat': at(0) };

it.each<[boolean, string, Record<string, string>, string | undefined]>([
  [true, 'is noted to be off', FENCED, undefined],
  [false, 'was off before that', { ...FENCED, 'smalt.dev/fenced-at': at(3) }, undefined],
  [false, 'is heard of again', { ...FENCED, 'kubevirt.io/heartbeat': at(20) }, undefined],
  [false, 'is noted to be off in no words', { ...FENCED, 'smalt.dev/fenced-at': 'soon' }, undefined],
  [true, 'shows the boot that is over', BOOT, 'b1'],
  [true, 'shows the boot that is over, by a clock that is late', { ...BOOT, 'smalt.dev/fenced-at': at(-60) }, 'b1'],
  [false, 'shows another boot', BOOT, 'b2'],
  [false, 'shows that boot and another heartbeat', { ...BOOT, 'kubevirt.io/heartbeat': at(1) }, 'b1'],
  [false, 'shows a boot of which nothing is noted', FENCED, 'b1'],
])('says %s of a node that %s', async (isOff, _, annotations, bootID) => {
  const node: HandledNode = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1', annotations },
    ...(bootID === undefined ? {} : { status: { nodeInfo: { bootID } } }),
  };
  const isProvenOff = powerProofs({ get: () => Promise.resolve(node) });

  expect(await isProvenOff('n1', Date.parse(at(5)), AbortSignal.timeout(1000))).toBe(isOff);
});

function at(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
}

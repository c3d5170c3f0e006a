import type { TopologyInterface } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { portKind } from './port-kind.ts';
import { findPatches, memberState, otherEnd, portState } from './port-state.ts';

it.each([
  ['bond', [device({ name: 'eno1' }), device({ name: 'eno2' })]],
  ['card', [device({ name: 'eno1', isCard: true })]],
  ['patch', [device({ type: 'patch' })]],
  ['tunnel', [device({ type: 'geneve' })]],
  ['guest', [device({ name: 'veth1', logicalPort: 'vm1' })]],
  ['guest', [device({ name: 'vhu1', type: 'dpdkvhostuserclient' })]],
  ['guest', [device({ name: 'tap1' })]],
  ['internal', [device({ name: 'br-int', type: 'internal' })]],
  ['other', [device({ name: 'veth1' })]],
  ['other', []],
] as const)('is a %s: %j', (kind, interfaces) => {
  expect(portKind({ interfaces })).toBe(kind);
});

it.each([
  [[device({ link: 'Up' })], 'good', 'up'],
  [[device({ link: 'Down' })], 'bad', 'down'],
  [[device({ link: 'Down', type: 'internal' })], 'quiet', 'down'],
  [[device({ link: 'Unknown' })], 'quiet', 'not known'],
  [[device({ error: 'No such device' })], 'bad', 'No such device'],
  [[device({ type: 'patch', peer: 'gone' })], 'bad', 'its other end gone is not there'],
  [[member(true), member(true)], 'good', 'all 2 members work'],
  [[member(true), member(false)], 'warning', '1 of 2 members work'],
  [[member(false), member(false)], 'bad', '0 of 2 members work'],
  [[device({}), device({})], 'quiet', 'nobody knows which members work'],
] as const)('of %j is %s: %s', (interfaces, tone, words) => {
  expect(portState({ interfaces }, new Map())).toEqual({ tone, words });
});

it.each([
  [{ isEnabled: true, isActive: true }, 'active'],
  [{ isEnabled: true, isActive: false }, 'enabled'],
  [{ isEnabled: false }, 'carries nothing'],
  [{ link: 'Down', isEnabled: true }, 'down'],
  [{}, 'not known'],
] as const)('a member that is %j is %s', (changes, words) => {
  expect(memberState(device(changes)).words).toBe(words);
});

it('leads by a patch to the port that leads back, and to no other', () => {
  const patches = findPatches({
    bridges: [
      { name: 'br-int', ports: [port(device({ name: 'to-ex', type: 'patch', peer: 'to-int' }))] },
      { name: 'br-ex', ports: [port(device({ name: 'to-int', type: 'patch', peer: 'to-ex' }))] },
      { name: 'br-odd', ports: [port(device({ name: 'odd', type: 'patch', peer: 'to-int' }))] },
    ],
  });

  expect(otherEnd(device({ name: 'to-ex', peer: 'to-int' }), patches)).toMatchObject({
    bridge: 'br-ex',
    port: 'to-int',
  });
  expect(otherEnd(device({ name: 'odd', peer: 'to-int' }), patches)).toBeUndefined();
});

function member(isEnabled: boolean): TopologyInterface {
  return device({ isEnabled });
}

function device(changes: Partial<TopologyInterface>): TopologyInterface {
  return { name: 'device', type: '', link: 'Up', ...changes };
}

function port(...interfaces: readonly TopologyInterface[]): { name: string; interfaces: readonly TopologyInterface[] } {
  return { name: interfaces[0]?.name ?? '', interfaces };
}

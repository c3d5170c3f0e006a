import { assert, property, stringMatching, uuid } from 'fast-check';
import { expect, it } from 'vitest';

import { guestHostName, testInstanceName, testInstancePrefix, testInstancesOf } from './test-instance-name.ts';

const UID = '9c1a7d3e-1111-4222-8333-444455556666';

it('gives test instances the names that existing operators give them', () => {
  expect(testInstanceName('ohooc-', 'node1', UID)).toBe(`ohooc--node1-${UID}`);
});

it.each([
  { name: `ohooc--node1-${UID}`, isOwn: true },
  { name: `ohooc--node1-${UID.toUpperCase()}`, isOwn: true },
  { name: `ohooc--node10-${UID}`, isOwn: false },
  { name: `ohooc--node1-x-${UID}`, isOwn: false },
  { name: `ohooc--node1-${UID}-${UID}`, isOwn: false },
  { name: `ohooc--node1-${UID}0`, isOwn: false },
  { name: `x-ohooc--node1-${UID}`, isOwn: false },
  { name: `ohooc-node1-${UID}`, isOwn: false },
  { name: 'ohooc--node1-', isOwn: false },
  { name: 'ohooc--node1-precious', isOwn: false },
])('takes $name for an instance that tests node1: $isOwn', ({ name, isOwn }) => {
  const found = testInstancesOf([{ name }], testInstancePrefix('ohooc-', 'node1'));

  expect(found).toEqual(isOwn ? [{ name }] : []);
});

it('never takes the instance of one host for that of another', () => {
  const hostName = stringMatching(/^[a-z0-9][a-z0-9.-]{0,20}$/);

  assert(
    property(hostName, hostName, uuid(), (one, other, uid) => {
      const instances = [{ name: testInstanceName('ohooc-', one, uid) }];

      expect(testInstancesOf(instances, testInstancePrefix('ohooc-', other)).length).toBe(one === other ? 1 : 0);
    }),
  );
});

it.each([
  { name: `ohooc--node1-${UID}`, guest: `ohooc--node1-${UID}` },
  { name: 'Ohooc--Node_1.dc1 x', guest: 'ohooc--node-1-dc1-x' },
  { name: `${'a'.repeat(62)}-b`, guest: 'a'.repeat(62) },
  { name: '-nöde1!', guest: 'nde1' },
])('knows what the guest of $name is called', ({ name, guest }) => {
  expect(guestHostName(name)).toBe(guest);
});

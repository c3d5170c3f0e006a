import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { macOf } from '../interface-identity.ts';
import { isGuestAddress, parseIpv4Range } from '../nat/ipv4-range.ts';
import type { InterfaceClaim } from './interface-claim.ts';
import { isInUse, type InterfaceRecord } from './interface-record.ts';
import { planClaim } from './plan-claim.ts';

const range = parseIpv4Range('10.9.0.0/24', 'range');

describe('planClaim', () => {
  it('gives the same address on every node that has nobody else', () => {
    const here = planClaim([], claim('web'));
    const there = planClaim([record('db', '10.9.0.250')], claim('web'));

    expect(there).toEqual(here);
    expect(here).toMatchObject({ kind: 'given', record: { mac: claim('web').mac }, displaced: [] });
  });

  it.each([
    ['what it uses already', [record('web', '10.9.0.9')], claim('web'), { kind: 'kept' }],
    [
      'other ports than it had',
      [record('web', '10.9.0.9')],
      { ...claim('web'), ports: ['tcp/80'] },
      { kind: 'given', record: { address: '10.9.0.9', ports: ['tcp/80'] } },
    ],
    ['what it had', [record('web', '10.9.0.9', 5)], claim('web'), { record: { address: '10.9.0.9' } }],
    [
      'what an earlier one of its name uses',
      [{ ...record('web', '10.9.0.9'), uid: 'old' }],
      claim('web'),
      { kind: 'given', record: { address: '10.9.0.9', uid: 'web' } },
    ],
    [
      'what its status shows',
      [record('web', '10.9.0.9', 5)],
      claim('web', '10.9.0.77'),
      { kind: 'given', record: { address: '10.9.0.77' } },
    ],
    [
      'what its status shows and another one had',
      [record('db', '10.9.0.77', 5)],
      claim('web', '10.9.0.77'),
      { kind: 'given', record: { address: '10.9.0.77' }, displaced: [{ instance: 'db' }] },
    ],
    [
      'what it uses rather than what its guest made of it',
      [record('web', '10.9.0.9')],
      claim('web', '192.168.1.1'),
      { kind: 'kept' },
    ],
  ])('gives an interface %s', (_what, records, asked, expected) => {
    expect(planClaim(records, asked)).toMatchObject(expected);
  });

  it.each([
    [
      'a MAC address that another one uses',
      [{ ...record('db', '10.9.0.9'), mac: claim('web').mac }],
      claim('web'),
      { at: 'mac', why: expect.stringMatching(/^n\/web .* which n\/db \(network net\) uses .* another macAddress/) },
    ],
    [
      'an address that another one uses',
      [record('db', '10.9.0.77')],
      claim('web', '10.9.0.77'),
      { at: 'address', why: expect.stringContaining('10.9.0.77, which n/db (network net) uses') },
    ],
    [
      'an address of another range',
      [],
      claim('web', '10.8.0.1'),
      { at: 'address', why: expect.stringContaining('not in the range 10.9.0.0/24 of this node') },
    ],
    ['the address of the gateway', [], claim('web', '10.9.0.1'), { at: 'address' }],
  ])('refuses %s', (_what, records, asked, expected) => {
    expect(planClaim(records, asked)).toMatchObject({ kind: 'refused', ...expected });
  });

  it.each([
    ['MAC address', [{ ...record('db', '10.9.0.9'), namespace: 'mill', mac: claim('web').mac }], claim('web')],
    ['address', [{ ...record('db', '10.9.0.77'), namespace: 'mill' }], claim('web', '10.9.0.77')],
  ])('does not tell who of another namespace has the %s', (_what, records, asked) => {
    const plan = planClaim(records, asked);

    expect(plan).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('which a guest of another namespace uses on this node'),
      holder: { namespace: 'mill', instance: 'db' },
    });
    expect(plan).toMatchObject({ why: expect.not.stringMatching(/mill|db/) });
  });

  it('takes the address that was given back longest ago when none was never used', () => {
    const small = parseIpv4Range('10.9.0.0/29', 'range');
    const records = [2, 3, 4, 5, 6].map((number) => record(`vm${number}`, `10.9.0.${number}`, 100 - number));

    const plan = planClaim(records, { ...claim('web'), range: small });

    expect(plan).toMatchObject({ record: { address: '10.9.0.6' }, displaced: [{ instance: 'vm6' }] });
  });

  it('says so when all addresses are in use', () => {
    const small = parseIpv4Range('10.9.0.0/29', 'range');
    const records = [2, 3, 4, 5, 6].map((number) => record(`vm${number}`, `10.9.0.${number}`));

    const plan = planClaim(records, { ...claim('web'), range: small });

    expect(plan).toMatchObject({ kind: 'refused', why: expect.stringContaining('all 5 addresses of 10.9.0.0/29') });
  });

  it('gives no address where somebody else does', () => {
    const plan = planClaim([], { ...claim('web'), range: undefined, plugin: 'bridge' });

    expect(plan).toMatchObject({ kind: 'given', record: { plugin: 'bridge' } });
    expect(plan).not.toHaveProperty('record.address');
  });

  it('never lets two that are in use have one address or one MAC address, whatever comes and goes', () => {
    const steps = fc.array(fc.record({ name: fc.integer({ min: 0, max: 11 }), goes: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (moves) => {
        const small = parseIpv4Range('10.9.0.0/28', 'range');
        let records: readonly InterfaceRecord[] = [];
        for (const [time, { name, goes }] of moves.entries()) {
          records = goes ? leave(records, `vm${name}`, time) : come(records, { ...claim(`vm${name}`), range: small });
          const used = records.filter(isInUse);
          expect(new Set(used.map(({ address }) => address)).size).toBe(used.length);
          expect(new Set(used.map(({ mac }) => mac)).size).toBe(used.length);
          expect(used.every(({ address }) => isGuestAddress(small, address ?? ''))).toBe(true);
        }
      }),
    );
  });
});

function come(records: readonly InterfaceRecord[], asked: InterfaceClaim): readonly InterfaceRecord[] {
  const plan = planClaim(records, asked);
  if (plan.kind !== 'given') return records;
  const others = records.filter((each) => each.instance !== asked.identity.instance && !plan.displaced.includes(each));
  return [...others, plan.record];
}

function leave(records: readonly InterfaceRecord[], instance: string, at: number): readonly InterfaceRecord[] {
  return records.map((each) => (each.instance === instance ? { ...each, releasedAt: at } : each));
}

function claim(instance: string, heldAddress?: string): InterfaceClaim {
  const identity = { namespace: 'n', instance, network: 'net' };
  return { identity, uid: instance, plugin: 'nat', mac: macOf(identity), range, heldAddress };
}

function record(instance: string, address: string, releasedAt?: number): InterfaceRecord {
  const { identity, uid, plugin, mac } = claim(instance);
  return { ...identity, uid, plugin, mac, address, ...(releasedAt === undefined ? {} : { releasedAt }) };
}

import { describe, expect, it } from 'vitest';

import { bondPort, card, enabledBond, known, port, unknown } from '../fixtures/build-facts.ts';
import { readRecording } from '../fixtures/read-recording.ts';
import type { BondFacts, PortFacts } from '../switch-facts.ts';
import { bondState } from './bond-state.ts';

const bond = bondPort('bond0', ['eno1', 'eno2']);

describe('bondState', () => {
  it.each<[string, BondFacts, string, number]>([
    ['Active, when all members are enabled', enabledBond('eno1', 'eno2'), 'Active', 2],
    ['Degraded, when one is not', enabledBond('eno1'), 'Degraded', 1],
    ['Down, when none is', enabledBond(), 'Down', 0],
    [
      'Degraded, when it has fallen back to work without LACP',
      { ...enabledBond('eno1', 'eno2'), lacpStatus: 'configured' },
      'Degraded',
      2,
    ],
  ])('is %s', (_what, answer, word, activeMembers) => {
    expect(bondState(bond, known(answer), true)).toMatchObject({ kind: 'known', word, activeMembers });
  });

  it('does not miss LACP where none is configured', () => {
    const plain = bondPort('bond0', ['eno1', 'eno2'], { lacp: undefined, bondMode: 'active-backup' });
    const answer = { ...enabledBond('eno1', 'eno2'), lacpStatus: 'configured' } as const;

    expect(bondState(plain, known(answer), true)).toMatchObject({ word: 'Active', troubles: [] });
  });

  it('is unknown, when nobody was asked or nobody answered', () => {
    expect(bondState(bond, undefined, true).kind).toBe('unknown');
    expect(bondState(bond, unknown('timeout'), true)).toEqual({ kind: 'unknown', why: 'timeout' });
  });

  it('is unknown, when it is no bond to the switch and the database is old news', () => {
    expect(bondState(bond, known(undefined), false).kind).toBe('unknown');
  });

  it('believes lacp_current only beside a link that is up', () => {
    const members = [card('eno1', { lacpCurrent: true, linkState: 'down' }), card('eno2', { lacpCurrent: true })];
    const lying = port('bond0', members, { lacp: 'active' });

    expect(bondState(lying, known(undefined), true)).toMatchObject({
      word: 'Degraded',
      activeMembers: 1,
      troubles: ['eno1 carries no traffic (its link is down)'],
    });
  });

  it('gives no reason from a database that is old news', () => {
    expect(bondState(bond, known(enabledBond('eno1')), false)).toMatchObject({
      troubles: ['eno2 carries no traffic'],
    });
  });
});

describe('a real bond', () => {
  it.each([
    ['userspace-node', 'Active', 2, []],
    ['link-down', 'Degraded', 1, ['eno2 carries no traffic (its link is down)']],
    [
      'partner-silent',
      'Down',
      0,
      [
        'its LACP partner does not answer',
        'eno1 carries no traffic (LACP does not hear its partner)',
        'eno2 carries no traffic (LACP does not hear its partner)',
      ],
    ],
    // To ovs-vswitchd this is no bond any more.
    ['member-missing', 'Degraded', 1, ['eno2 carries no traffic (its device is missing)']],
  ])('of %s is %s with %i members', async (name, word, activeMembers, troubles) => {
    const recording = await readRecording(name);
    const real = findPort(recording.configuration.bridges.flatMap(({ ports }) => ports));

    const state = bondState(real, known(recording.bond), true);

    expect(state).toMatchObject({ kind: 'known', word, activeMembers });
    expect(state.kind === 'known' ? state.troubles.toSorted() : []).toEqual([...troubles].toSorted());
  });
});

function findPort(ports: readonly PortFacts[]): PortFacts {
  const found = ports.find(({ name }) => name === 'bond0');
  if (found === undefined) throw new Error('the recording has no bond0');
  return found;
}

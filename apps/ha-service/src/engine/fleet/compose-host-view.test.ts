import type { HostView } from '@smalt/failure-detection';
import { describe, expect, it } from 'vitest';

import { composeHostView, type HostNews } from './compose-host-view.ts';
import { clusterHost } from '../fixtures/engine-builders.ts';

const FACTS = { relevantInstances: 3, exclusion: undefined };

describe('composeHostView', () => {
  it('puts the signals of all sources together, each with the reach of its source', () => {
    const agent = { source: 'agent', aliveAt: 5, deadSince: undefined, deadAt: undefined } as const;
    const view = composeHostView(
      news({
        cluster: clusterHost('n1', { leaseAliveAt: 7 }),
        signals: new Map([['agent', agent]]),
        reach: (source) => (source === 'agent' ? 2 : undefined),
      }),
    );

    expect(view.signals).toEqual([
      { ...agent, reachableSince: 2 },
      { source: 'node-lease', aliveAt: 7, deadSince: undefined, deadAt: undefined, reachableSince: undefined },
    ]);
  });

  it('says of a lease that was never seen to be renewed that nobody knows when its node lived', () => {
    const view = composeHostView(news({ cluster: clusterHost('n1', { leaseAliveAt: 0 }) }));

    expect(view.signals).toMatchObject([{ source: 'node-lease', aliveAt: 0, isUndated: true }]);
  });

  it.each<{ case: string; change: Partial<HostNews>; expected: Partial<HostView> }>([
    { case: 'as it is', change: {}, expected: { isHighlyAvailable: true, isOnboarded: true, isHeld: false } },
    {
      case: 'switched off',
      change: { record: { name: 'n1', isSwitchedOn: false, heldBy: undefined } },
      expected: { isHighlyAvailable: false },
    },
    {
      case: 'held',
      change: { record: { name: 'n1', isSwitchedOn: undefined, heldBy: 'i1' } },
      expected: { isHighlyAvailable: true, isHeld: true },
    },
    {
      case: 'left alone by the policy',
      change: { suspect: { ...FACTS, exclusion: 'n1 is in no segment' } },
      expected: { policyObjection: 'n1 is in no segment' },
    },
    {
      case: 'that the policy leaves alone, without a closer look',
      change: { suspect: undefined, coverage: { kind: 'excluded', why: 'n1 is excluded' } },
      expected: { policyObjection: 'n1 is excluded' },
    },
    {
      case: 'whose aggregates nobody knows',
      change: { suspect: undefined, coverage: { kind: 'unknown' } },
      expected: { policyObjection: 'it is not known which aggregates n1 is in' },
    },
    {
      case: 'that a closer look has found to be covered',
      change: { coverage: { kind: 'unknown' } },
      expected: { policyObjection: undefined },
    },
    { case: 'not registered', change: { isRegistered: false }, expected: { isOnboarded: false } },
    {
      case: 'without an object',
      change: { cluster: undefined },
      expected: { isHighlyAvailable: false, isOnboarded: false, maintenance: undefined },
    },
    { case: 'not looked at closely', change: { suspect: undefined }, expected: { relevantInstances: undefined } },
    { case: 'that was watched for long enough', change: {}, expected: { isUnwatched: false } },
    { case: 'that was not', change: { isUnwatched: true }, expected: { isUnwatched: true } },
    { case: 'looked at closely', change: {}, expected: { relevantInstances: 3 } },
  ])('sees a host $case', ({ change, expected }) => {
    expect(composeHostView(news(change))).toMatchObject(expected);
  });
});

function news(change: Partial<HostNews>): HostNews {
  return {
    name: 'n1',
    cluster: clusterHost('n1'),
    record: undefined,
    signals: new Map(),
    boots: { previous: undefined, latest: undefined },
    reach: () => 0,
    isRegistered: true,
    isUnwatched: false,
    coverage: { kind: 'covered' },
    suspect: FACTS,
    kdumpUntil: undefined,
    ...change,
  };
}

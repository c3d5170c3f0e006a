import type { VirtualMachinePoolSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { decide, made, pool } from '../fixtures/pools.ts';

type Strategy = NonNullable<VirtualMachinePoolSpec['scaleInStrategy']>;

const OWNER = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'web-1', uid: 'm-1', controller: true };
const OTHER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'inventory', uid: 'other' };
const machines = [made(0), made(1)];
const claims = { 'web-0': [claim('disk-0', [])], 'web-1': [claim('disk-1', [OWNER, OTHER])] };

describe('statePreservation', () => {
  it.each<Strategy>([
    { proactive: { statePreservation: 'Offline', selectionPolicy: { sortPolicy: 'DescendingOrder' } } },
    { proactive: { statePreservation: 'Online', selectionPolicy: { sortPolicy: 'DescendingOrder' } } },
    { opportunistic: { statePreservation: 'Offline' } },
  ])('with %j takes claims from a machine before it goes', (scaleInStrategy) => {
    const { actions } = decide(pool({ replicas: 1, scaleInStrategy }), { machines, claims });

    const disk = { name: 'disk-1', uid: 'uid-disk-1', resourceVersion: '7' };
    expect(actions).toEqual([{ kind: 'keep-claim', ...disk, owners: ['m-1'], ownerReferences: [OTHER] }]);
  });

  it('does not wait for one claim with the rest of the pool, and tries that last', () => {
    const selectionPolicy = { sortPolicy: 'AscendingOrder' } as const;
    const scaleInStrategy: Strategy = { proactive: { statePreservation: 'Offline', selectionPolicy } };

    const more = decide(pool({ replicas: 3, scaleInStrategy }), { machines, claims }).actions;
    const fewer = decide(pool({ replicas: 1, scaleInStrategy }), { machines, claims }).actions;

    expect(more.map(({ kind }) => kind)).toEqual(['create-machine', 'keep-claim']);
    expect(fewer).toMatchObject([{ kind: 'delete-machine', name: 'web-0' }, { kind: 'keep-claim' }]);
  });

  it('goes on when no claim belongs to a machine any more', () => {
    const scaleInStrategy: Strategy = { proactive: { statePreservation: 'Offline' } };
    const kept = { 'web-1': [claim('disk-1', [OTHER])] };

    const { actions } = decide(pool({ replicas: 1, scaleInStrategy }), { machines, claims: kept });

    expect(actions.map(({ kind }) => kind)).toEqual(['delete-machine']);
  });

  it.each<Strategy>([{}, { proactive: {} }, { proactive: { statePreservation: 'Disabled' } }])(
    'with %j lets claims go with their machines',
    (scaleInStrategy) => {
      const { actions } = decide(pool({ replicas: 1, scaleInStrategy }), { machines, claims });

      expect(actions.map(({ kind }) => kind)).toEqual(['delete-machine']);
    },
  );

  it('leaves claims to a pool that is paused', () => {
    const scaleInStrategy: Strategy = { proactive: { statePreservation: 'Offline' } };

    expect(decide(pool({ paused: true, scaleInStrategy }), { machines, claims }).actions).toEqual([]);
  });
});

function claim(name: string, ownerReferences: readonly (typeof OWNER | typeof OTHER)[]) {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion: '7', ownerReferences } };
}

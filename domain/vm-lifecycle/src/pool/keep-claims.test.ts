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
    { proactive: { statePreservation: 'Offline' } },
    { proactive: { statePreservation: 'Online' } },
    { opportunistic: { statePreservation: 'Offline' } },
  ])('with %j takes claims from machines before any of them goes', (scaleInStrategy) => {
    const { actions } = decide(pool({ replicas: 1, scaleInStrategy }), { machines, claims });

    expect(actions).toEqual([
      { kind: 'keep-claim', name: 'disk-1', uid: 'uid-disk-1', resourceVersion: '7', ownerReferences: [OTHER] },
    ]);
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

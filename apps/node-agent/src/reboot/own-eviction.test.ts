import type { Eviction, Hypervisor } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { evictionOf, evictionState, isMadeByAgent } from './own-eviction.ts';

it('makes an Eviction that goes with the Hypervisor, and that existing tools recognise', () => {
  const hypervisor: Hypervisor = {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'node-1', uid: 'h1' },
  };

  const draft = evictionOf(hypervisor);

  expect(draft).toEqual({
    metadata: {
      name: 'node-1',
      ownerReferences: [
        {
          apiVersion: 'kvm.cloud.sap/v1',
          kind: 'Hypervisor',
          name: 'node-1',
          uid: 'h1',
          controller: false,
          blockOwnerDeletion: false,
        },
      ],
    },
    spec: { hypervisor: 'node-1', reason: 'kvm-node-agent: emergency evacuation due to host reboot' },
  });
  expect([isMadeByAgent(eviction(draft.spec?.reason ?? '')), isMadeByAgent(eviction('maintenance'))]).toEqual([
    true,
    false,
  ]);
});

it.each([
  [undefined, undefined, { kind: 'under-way' }],
  ['True', 'Running', { kind: 'under-way' }],
  ['Unknown', 'Running', { kind: 'under-way' }],
  ['False', 'Succeeded', { kind: 'succeeded' }],
  ['False', 'Failed', { kind: 'failed', message: 'why' }],
  ['False', 'Pending', { kind: 'under-way' }],
] as const)('reads Evicting %s/%s', (status, reason, state) => {
  expect(evictionState(eviction('x', status, reason))).toEqual(state);
});

it('sees that one is being deleted, however it stands', () => {
  const going = eviction('x', 'False', 'Succeeded');

  const metadata = { ...going.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };

  expect(evictionState({ ...going, metadata })).toEqual({ kind: 'going' });
});

function eviction(reason: string, status?: 'True' | 'False' | 'Unknown', state = ''): Eviction {
  const condition = { type: 'Evicting', reason: state, message: 'why', lastTransitionTime: '2026-01-01T00:00:00Z' };
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name: 'node-1' },
    spec: { hypervisor: 'node-1', reason },
    status: { conditions: status === undefined ? [] : [{ ...condition, status }] },
  };
}

import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { instanceDraft } from '../fixtures/vm-objects.ts';
import { phaseChanges } from './phase-changes.ts';

const NOW = Date.parse('2026-01-01T00:00:10Z');

it('tells how long an instance took to a phase', () => {
  const times = [{ phase: 'Scheduled', phaseTransitionTimestamp: '2026-01-01T00:00:07Z' }];

  expect(phaseChanges(instance('Scheduled'), instance('Running', times), NOW)).toEqual([
    {
      phase: 'Running',
      lastPhase: 'Scheduled',
      sinceCreationSeconds: 10,
      sinceLastSeconds: 3,
      sinceDeletionSeconds: undefined,
    },
  ]);
});

it('tells nothing of what was so before it was looked at', () => {
  const running = instance('Running');

  expect([phaseChanges(undefined, running, NOW), phaseChanges(running, running, NOW)]).toEqual([[], []]);
  expect(phaseChanges(running, undefined, NOW)).toEqual([]);
});

function instance(
  phase: string,
  phaseTransitionTimestamps: NonNullable<VirtualMachineInstance['status']>['phaseTransitionTimestamps'] = [],
): VirtualMachineInstance {
  const draft = instanceDraft('d', 'vm');
  const metadata = { ...draft.metadata, creationTimestamp: '2026-01-01T00:00:00Z' };
  return { ...draft, metadata, status: { phase, phaseTransitionTimestamps } };
}

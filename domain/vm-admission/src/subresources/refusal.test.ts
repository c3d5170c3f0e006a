import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance } from '@smalt/vm-api';

import { instance, machine, spec } from '../fixtures/small-instance.ts';
import { decidePause, decideVsock } from './decide-instance-action.ts';
import { decideMigrate } from './decide-migrate.ts';
import { statusOfRefusal } from './refusal.ts';

describe('statusOfRefusal', () => {
  it.each([
    {
      refused: decidePause(inPhase('Scheduled')),
      reason: 'Conflict',
      message: 'Operation cannot be fulfilled on virtualmachineinstance.kubevirt.io "small": VM is not running',
    },
    {
      refused: decidePause(inPhase('Running', { livenessProbe: {} })),
      reason: 'Forbidden',
      message:
        'virtualmachineinstance.kubevirt.io "small" is forbidden: Pausing VMIs with a non-GuestAgentPing LivenessProbe is not supported',
    },
    { refused: decideVsock(instance()), reason: 'BadRequest', message: 'VSOCK is not attached.' },
    {
      refused: decideMigrate(machine(), undefined),
      reason: 'NotFound',
      message: 'virtualmachineinstance.kubevirt.io "small" not found',
    },
  ])('tells of a $reason', ({ refused, reason, message }) => {
    expect(refused.kind === 'refuse' && statusOfRefusal(refused)).toMatchObject({ status: 'Failure', reason, message });
  });
});

function inPhase(phase: string, parts: Partial<VirtualMachineInstance['spec']> = {}): VirtualMachineInstance {
  return instance(spec(parts), { status: { phase } });
}

import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstance } from '@smalt/vm-api';

import { devices, instance, machine, spec } from '../fixtures/small-instance.ts';
import {
  decideConsole,
  decideDisplay,
  decideFreeze,
  decideGuestQuery,
  decidePause,
  decidePortForward,
  decideReset,
  decideSoftReboot,
  decideUnfreeze,
  decideUnpause,
  decideUsbRedirection,
  decideVsock,
} from './decide-instance-action.ts';

describe('what can be done to instances', () => {
  const running = inPhase('Running');
  const paused = withCondition('Paused');
  const agent = withCondition('AgentConnected');
  const scheduled = inPhase('Scheduled');
  const probed = inPhase('Running', { livenessProbe: { tcpSocket: { port: 22 } } });
  const pinged = inPhase('Running', { livenessProbe: { guestAgentPing: {} } });
  const withoutAcpi = { domain: { devices: {}, features: { acpi: { enabled: false } } } };

  it.each([
    { title: 'pauses one that runs', decision: decidePause(running), code: undefined, message: undefined },
    { title: 'pauses one whose agent is asked', decision: decidePause(pinged), code: undefined, message: undefined },
    {
      title: 'does not pause one that does not run',
      decision: decidePause(scheduled),
      code: 409,
      message: 'VM is not running',
    },
    { title: 'does not pause one twice', decision: decidePause(paused), code: 409, message: 'VMI is already paused' },
    {
      title: 'does not pause one that would be restarted',
      decision: decidePause(probed),
      code: 403,
      message: 'Pausing VMIs with a non-GuestAgentPing LivenessProbe is not supported',
    },
    {
      title: 'lets a paused one go on',
      decision: decideUnpause(paused, machine()),
      code: undefined,
      message: undefined,
    },
    {
      title: 'does not let one go on that goes',
      decision: decideUnpause(running, undefined),
      code: 409,
      message: 'VMI is not paused',
    },
    {
      title: 'does not let one go on that does not run',
      decision: decideUnpause(scheduled, undefined),
      code: 409,
      message: 'VMI is not running',
    },
    {
      title: 'keeps one still for its snapshot',
      decision: decideUnpause(paused, machine(undefined, { status: { snapshotInProgress: 'a' } })),
      code: 409,
      message: 'VM snapshot is in progress',
    },
    { title: 'freezes one that runs', decision: decideFreeze(running), code: undefined, message: undefined },
    {
      title: 'does not freeze one that does not',
      decision: decideFreeze(scheduled),
      code: 409,
      message: 'VM is not running',
    },
    { title: 'thaws one that runs', decision: decideUnfreeze(running), code: undefined, message: undefined },
    {
      title: 'does not thaw one that does not',
      decision: decideUnfreeze(scheduled),
      code: 409,
      message: 'VMI is not running',
    },
    { title: 'resets one that runs', decision: decideReset(running), code: undefined, message: undefined },
    {
      title: 'does not reset one that does not',
      decision: decideReset(scheduled),
      code: 409,
      message: 'Failed to reset non-running VMI with phase Scheduled: VMI is not running',
    },
    { title: 'reboots one by ACPI', decision: decideSoftReboot(running), code: undefined, message: undefined },
    {
      title: 'reboots one by its agent',
      decision: decideSoftReboot({ ...agent, spec: withoutAcpi }),
      code: undefined,
      message: undefined,
    },
    {
      title: 'does not reboot one that hears neither',
      decision: decideSoftReboot(inPhase('Running', withoutAcpi)),
      code: 409,
      message: 'VMI neither have the agent connected nor the ACPI feature enabled',
    },
    { title: 'does not reboot a paused one', decision: decideSoftReboot(paused), code: 409, message: 'VMI is paused' },
    {
      title: 'does not reboot one that does not run',
      decision: decideSoftReboot(scheduled),
      code: 409,
      message: 'VM is not running',
    },
    { title: 'opens a console', decision: decideConsole(running), code: undefined, message: undefined },
    {
      title: 'opens no console that is not there',
      decision: decideConsole(inPhase('Running', devices({ autoattachSerialConsole: false }))),
      code: 400,
      message: 'No serial consoles are present.',
    },
    {
      title: 'opens no console of one that failed',
      decision: decideConsole(inPhase('Failed')),
      code: 409,
      message: 'VMI is in failed status',
    },
    {
      title: 'opens no console of one that does not run',
      decision: decideConsole(scheduled),
      code: 400,
      message: 'VMI is not running',
    },
    { title: 'shows the screen', decision: decideDisplay(running), code: undefined, message: undefined },
    {
      title: 'shows no screen that is not there',
      decision: decideDisplay(inPhase('Running', devices({ autoattachGraphicsDevice: false }))),
      code: 400,
      message: 'No graphics devices are present.',
    },
    {
      title: 'shows no screen of one that does not run',
      decision: decideDisplay(scheduled),
      code: 400,
      message: 'VMI is not running',
    },
    {
      title: 'lends USB devices',
      decision: decideUsbRedirection(inPhase('Running', devices({ clientPassthrough: {} }))),
      code: undefined,
      message: undefined,
    },
    {
      title: 'lends nothing to one that did not ask',
      decision: decideUsbRedirection(running),
      code: 409,
      message: 'Not configured with USB Redirection',
    },
    {
      title: 'lends nothing on s390x',
      decision: decideUsbRedirection(inPhase('Running', { architecture: 's390x' })),
      code: 409,
      message: 'No USB support on s390x',
    },
    {
      title: 'opens a socket',
      decision: decideVsock(inPhase('Running', devices({ autoattachVSOCK: true }))),
      code: undefined,
      message: undefined,
    },
    {
      title: 'opens no socket that is not there',
      decision: decideVsock(running),
      code: 400,
      message: 'VSOCK is not attached.',
    },
    { title: 'forwards ports', decision: decidePortForward(running), code: undefined, message: undefined },
    {
      title: 'forwards no ports of a paused one',
      decision: decidePortForward(paused),
      code: 409,
      message: 'VMI is paused',
    },
    { title: 'asks the agent', decision: decideGuestQuery(agent), code: undefined, message: undefined },
    {
      title: 'asks no agent that is not there',
      decision: decideGuestQuery(running),
      code: 409,
      message: 'VMI does not have guest agent connected',
    },
    {
      title: 'asks no agent of one that does not run',
      decision: decideGuestQuery(scheduled),
      code: 409,
      message: 'VMI is not running',
    },
  ])('$title', ({ decision, code, message }) => {
    expect(decision).toMatchObject(code === undefined ? { kind: 'forward' } : { kind: 'refuse', code, message });
  });

  it('believes conditions that say no', () => {
    const unpaused = instance(spec(), {
      status: { phase: 'Running', conditions: [{ type: 'Paused', status: 'False' }] },
    });

    expect(decidePause(unpaused)).toEqual({ kind: 'forward' });
  });
});

function inPhase(phase: string, parts: Partial<VirtualMachineInstance['spec']> = {}): VirtualMachineInstance {
  return instance(spec(parts), { status: { phase } });
}

function withCondition(type: string): VirtualMachineInstance {
  return instance(spec(), { status: { phase: 'Running', conditions: [{ type, status: 'True' }] } });
}

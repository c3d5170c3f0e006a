import type { VirtualMachineInstance } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { at, FINALIZER, guest, instance, machine, NOW } from '../fixtures/objects.ts';
import { decideVirtualMachine } from './decide-virtual-machine.ts';
import { revisionGeneration } from './revision-name.ts';
import type { VirtualMachineFacts } from './virtual-machine-facts.ts';

const always = { runStrategy: 'Always' };

describe('decideVirtualMachine', () => {
  it('starts: a revision, then the instance that names it', () => {
    const { actions, status } = decide({ vm: machine(always) });

    expect(actions).toMatchObject([
      { kind: 'create-revision', name: 'revision-start-vm-vm-uid-3' },
      {
        kind: 'create-instance',
        instance: {
          metadata: {
            name: 'vm',
            namespace: 'default',
            labels: { app: 'x' },
            annotations: { 'kubevirt.io/vm-generation': '3' },
            finalizers: [FINALIZER],
            ownerReferences: [{ kind: 'VirtualMachine', name: 'vm', uid: 'vm-uid', controller: true }],
          },
          spec: guest(),
          status: { virtualMachineRevisionName: 'revision-start-vm-vm-uid-3' },
        },
      },
    ]);
    expect(status).toMatchObject({ printableStatus: 'Starting', created: false, ready: false, desiredGeneration: 3 });
    expect(revisionGeneration('revision-start-vm-vm-uid-3', 'vm-uid')).toBe(3);
  });

  it('puts its finalizer on before it starts anything', () => {
    const { actions } = decide({ vm: machine(always, {}, { finalizers: [] }) });

    expect(actions.map(({ kind }) => kind)).toEqual(['add-finalizer', 'create-revision', 'create-instance']);
  });

  it('starts without letting the guest run when told so', () => {
    const stateChangeRequests = [{ action: 'Start', data: { paused: 'true' } }];

    const { actions } = decide({ vm: machine({ runStrategy: 'Manual' }, { stateChangeRequests }) });

    expect(actions[1]).toMatchObject({ instance: { spec: { startStrategy: 'Paused' } } });
  });

  it('does not start while its data volumes are filled', () => {
    const storage = { dataVolumes: 'provisioning', hasUnboundClaim: false } as const;

    expect(decide({ vm: machine(always), storage })).toMatchObject({
      actions: [],
      status: { printableStatus: 'Provisioning' },
    });
  });

  it.each([
    [{ runStrategy: 'Halted' }, { runStrategy: 'Always' }],
    [{ running: false }, { running: true }],
  ])('makes a halted machine run when a start was asked for: %o', (spec, patch) => {
    const vm = machine(spec, { stateChangeRequests: [{ action: 'Start' }] });

    expect(decide({ vm }).actions).toEqual([{ kind: 'set-run-strategy', patch }]);
  });

  it('stays halted when it was being restarted before', () => {
    const stateChangeRequests = [{ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }];
    const vm = machine({ runStrategy: 'Halted' }, { runStrategy: 'Always', stateChangeRequests });

    const stop = decide({ vm, vmi: instance('Running') });
    const stopped = decide({ vm: { ...vm, status: stop.status } });

    expect(stop.actions).toEqual([{ kind: 'delete-instance', name: 'vm', uid: 'vmi-uid' }]);
    expect(stop.status).not.toHaveProperty('stateChangeRequests');
    expect(stopped).toMatchObject({ actions: [], status: { printableStatus: 'Stopped', runStrategy: 'Halted' } });
  });

  it('restarts in two steps: stop this very instance, then start', () => {
    const stateChangeRequests = [{ action: 'Stop', uid: 'vmi-uid' }, { action: 'Start' }];
    const vm = machine({ runStrategy: 'Manual' }, { stateChangeRequests });

    const stop = decide({ vm, vmi: instance('Running') });
    const start = decide({ vm: { ...vm, status: stop.status } });
    const done = decide({ vm: { ...vm, status: start.status }, vmi: instance('Pending', {}, { uid: 'new' }) });

    expect(stop.actions).toEqual([{ kind: 'delete-instance', name: 'vm', uid: 'vmi-uid' }]);
    expect(stop.status).toMatchObject({ stateChangeRequests, printableStatus: 'Stopping' });
    expect(start.actions.map(({ kind }) => kind)).toEqual(['create-revision', 'create-instance']);
    expect(start.status.stateChangeRequests).toEqual([{ action: 'Start' }]);
    expect(done.status.stateChangeRequests).toBeUndefined();
  });

  it('runs again after a failure, with a pause, when told to rerun on failure', () => {
    const vm = machine({ runStrategy: 'RerunOnFailure' }, { runStrategy: 'RerunOnFailure' });

    const failed = decide({ vm, vmi: owned('Failed') });
    const gone = decide({ vm: { ...vm, status: failed.status } });
    const later = decide({ vm: { ...vm, status: gone.status }, now: NOW + 10_000 });

    expect(failed).toMatchObject({
      actions: [{ kind: 'delete-instance' }],
      afterStatus: [{ kind: 'remove-instance-finalizer', finalizer: FINALIZER }],
      status: { stateChangeRequests: [{ action: 'Start' }], startFailure: { consecutiveFailCount: 1 } },
    });
    expect(gone).toMatchObject({
      actions: [],
      requeueAfterMs: 10_000,
      status: { printableStatus: 'CrashLoopBackOff' },
    });
    expect(later.actions.map(({ kind }) => kind)).toEqual(['create-revision', 'create-instance']);
  });

  it('does not run again when the guest has shut itself down and is to be rerun on failure only', () => {
    const vm = machine({ runStrategy: 'RerunOnFailure' }, { runStrategy: 'RerunOnFailure' });

    const ended = decide({ vm, vmi: owned('Succeeded', { phaseTransitionTimestamps: [{ phase: 'Running' }] }) });

    expect(decide({ vm: { ...vm, status: ended.status } }).actions).toEqual([]);
  });

  it('never starts a second instance while the first one is not gone', () => {
    const deleting = owned('Failed', {}, { deletionTimestamp: at(0) });

    expect(decide({ vm: machine(always), vmi: deleting }).actions).toEqual([]);
  });

  it('copies the conditions of its instance and says its own', () => {
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: at(-5) };
    const agent = { type: 'AgentConnected', status: 'True', lastTransitionTime: at(-3) };
    const vm = machine(always, { conditions: [{ type: 'Paused', status: 'True' }] });

    const { status } = decide({ vm, vmi: instance('Running', { conditions: [agent, ready] }) });

    expect(status).toMatchObject({ conditions: [ready, agent], created: true, ready: true, runStrategy: 'Always' });
    expect(status.conditions).toHaveLength(2);
  });

  it('drops the conditions of an instance that is gone', () => {
    const vm = machine({ runStrategy: 'Halted' }, { conditions: [{ type: 'AgentConnected', status: 'True' }] });

    expect(decide({ vm }).status.conditions).toEqual([
      {
        type: 'Ready',
        status: 'False',
        reason: 'VMINotExists',
        message: 'VMI does not exist',
        lastProbeTime: null,
        lastTransitionTime: at(0),
      },
    ]);
  });

  it('asks for a restart after a change that cannot be carried into the guest, and takes that back with the change', () => {
    const startedSpec = machine().spec;
    const changed = machine({ ...always, template: { spec: guest({ hypervisor: 'lxc' }) } });
    const vmi = instance('Running');

    const asked = decide({ vm: changed, vmi, startedSpec });
    const taken = decide({ vm: machine(always, asked.status), vmi, startedSpec });

    expect(asked.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'RestartRequired', status: 'True' }),
    );
    expect(taken.status.conditions).not.toContainEqual(expect.objectContaining({ type: 'RestartRequired' }));
  });

  it('carries a change into the running guest, and notes which revision the guest is in line with', () => {
    const startedSpec = machine().spec;
    const vm = machine({ ...always, template: { spec: guest({ nodeSelector: { zone: 'a' } }) } });

    const { actions } = decide({ vm, vmi: instance('Running'), startedSpec });

    expect(actions).toMatchObject([
      { kind: 'create-revision', name: 'revision-start-vm-vm-uid-3' },
      {
        kind: 'update-instance',
        changes: [
          { path: '/spec/nodeSelector', before: undefined, value: { zone: 'a' } },
          { path: '/metadata/annotations/kubevirt.io~1vm-generation', value: '3' },
          { path: '/status/virtualMachineRevisionName', value: 'revision-start-vm-vm-uid-3' },
        ],
      },
    ]);
  });

  it('notes no revision while a volume of the guest is only taken out to come back as another', () => {
    const startedSpec = machine({ template: { spec: withClaim('a') } }).spec;
    const vm = machine({ ...always, template: { spec: withClaim('b') } });
    const told = { volumeStatus: [{ name: 'data', target: 'sda', hotplugVolume: {} }] };

    const { actions } = decide({ vm, vmi: instance('Running', told, {}, withClaim('a')), startedSpec });

    expect(actions).toMatchObject([
      {
        kind: 'update-instance',
        changes: [
          { path: '/spec/volumes', value: [] },
          { path: '/spec/domain/devices/disks', value: [] },
        ],
      },
    ]);
  });

  it('says what could not be done, until it is', () => {
    const problem = { reason: 'FailedCreate', message: 'exceeded quota' };

    const { status } = decide({ vm: machine(always), problem });

    expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Failure', ...problem }));
    expect(decide({ vm: machine(always, status) }).status.conditions).toHaveLength(1);
  });

  it.each<[string, Partial<VirtualMachineFacts>, readonly string[]]>([
    ['stops its instance first', { vmi: instance('Running') }, ['delete-instance']],
    ['waits for it', { vmi: instance('Running', {}, { deletionTimestamp: at(0) }) }, []],
    ['then lets go of itself', {}, ['remove-finalizer']],
  ])('when deleted, %s', (_what, facts, kinds) => {
    const vm = machine(always, {}, { deletionTimestamp: at(0) });

    const { actions, status } = decide({ vm, ...facts });

    expect(actions.map(({ kind }) => kind)).toEqual(kinds);
    expect(status.printableStatus).toBe('Terminating');
  });

  it('leaves its instance alone when its deletion orphans it', () => {
    const vm = machine(always, {}, { deletionTimestamp: at(0), finalizers: [FINALIZER, 'orphan'] });

    expect(decide({ vm, vmi: instance('Running') }).actions.map(({ kind }) => kind)).toEqual(['remove-finalizer']);
  });

  it('changes nothing when nothing has changed', () => {
    const vm = machine(always);
    const vmi = instance('Running', { conditions: [{ type: 'Ready', status: 'True' }] });
    const first = decide({ vm, vmi });

    const second = decide({ vm: { ...vm, status: first.status }, vmi, now: NOW + 60_000, random: 0.9 });

    expect(second).toEqual(first);
  });
});

function decide(facts: Partial<VirtualMachineFacts> & Pick<VirtualMachineFacts, 'vm'>) {
  return decideVirtualMachine({ vmi: undefined, now: NOW, random: 0, ...facts });
}

function owned(...parts: Parameters<typeof instance>): VirtualMachineInstance {
  const vmi = instance(...parts);
  return { ...vmi, metadata: { ...vmi.metadata, finalizers: [FINALIZER] } };
}

function withClaim(claimName: string): ReturnType<typeof guest> {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName, hotpluggable: true } }];
  return guest({ volumes, domain: { devices: { disks: [{ name: 'data', disk: { bus: 'scsi' } }] } } });
}

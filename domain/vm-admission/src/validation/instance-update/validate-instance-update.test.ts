import { describe, expect, it } from 'vitest';

import type { Disk, VirtualMachineInstance, Volume } from '@smalt/vm-api';

import type { Requester } from '../../admission-context.ts';
import { duplicate, invalid, notSupported, required, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { devices, domain, instance, settings, spec, withoutAdvice } from '../../fixtures/small-instance.ts';
import { validateInstanceUpdate } from './validate-instance-update.ts';

const controller: Requester = { kind: 'controller' };
const user: Requester = { kind: 'user' };

describe('what users may change of an instance', () => {
  it('is its metadata', () => {
    const old = instance();
    const changed = { ...old, metadata: { ...old.metadata, labels: { app: 'a' }, annotations: { a: 'b' } } };

    expect(judge(changed, old, user)).toEqual([]);
  });

  it('is not its spec', () => {
    expect(judge(instance(spec({ hostname: 'a' })), instance(), user)).toEqual([
      notSupported('', 'update of VMI object is restricted'),
    ]);
  });

  it('is nothing that only looks different', () => {
    expect(judge(instance(spec({ networks: [] })), instance(), user)).toEqual([]);
  });

  it('is not a label of the control plane', () => {
    const old = instance(spec(), { metadata: { name: 'small', labels: { 'kubevirt.io/nodeName': 'a' } } });
    const moved = instance(spec(), { metadata: { name: 'small', labels: { 'kubevirt.io/nodeName': 'b' } } });
    const message = 'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited';

    expect(judge(moved, old, user)).toEqual([notSupported('', message)]);
    expect(judge(instance(), old, user)).toEqual([notSupported('', message)]);
    expect(judge(moved, old, controller)).toEqual([]);
  });
});

describe('finalizers of an instance', () => {
  const ours = 'kubevirt.io/foregroundDeleteVirtualMachine';
  const machines = 'kubevirt.io/virtualMachineControllerFinalize';

  it.each([
    { what: 'ours of a guest that runs', taken: ours, status: { phase: 'Running', nodeName: 'n1' }, isTaken: false },
    { what: 'that of its machine', taken: machines, status: { phase: 'Running', nodeName: 'n1' }, isTaken: false },
    { what: 'ours of one about to start', taken: ours, status: { phase: 'Scheduled', nodeName: 'n1' }, isTaken: false },
    { what: 'ours of one in doubt', taken: ours, status: { phase: 'Unknown', nodeName: 'n1' }, isTaken: false },
    { what: 'ours of one with a node', taken: ours, status: { phase: 'Scheduling', nodeName: 'n1' }, isTaken: false },
    { what: 'ours of one without a node', taken: ours, status: { phase: 'Pending' }, isTaken: true },
    { what: 'ours of one that has ended', taken: ours, status: { phase: 'Failed', nodeName: 'n1' }, isTaken: true },
    { what: 'one of others', taken: 'example.dev/hold', status: { phase: 'Running', nodeName: 'n1' }, isTaken: true },
  ])('lets users take $what: $isTaken', ({ taken, status, isTaken }) => {
    const all = [ours, machines, 'example.dev/hold'];
    const old = instance(spec(), { metadata: { name: 'small', finalizers: all }, status });
    const finalizers = all.filter((name) => name !== taken);
    const changed = instance(spec(), { metadata: { name: 'small', finalizers }, status });

    expect(judge(changed, old, user).map(({ field }) => field)).toEqual(isTaken ? [] : ['metadata.finalizers']);
    expect(judge(changed, old, controller)).toEqual([]);
  });

  it('says what to do about a guest on a silent node', () => {
    const status = { phase: 'Running', nodeName: 'n1' };
    const old = instance(spec(), { metadata: { name: 'small', finalizers: [ours] }, status });
    const [cause] = validateInstanceUpdate(instance(spec(), { status }), old, {
      settings: settings(),
      requester: user,
    });

    expect(cause?.message).toBe(`metadata.finalizers: ${ours} stays while the guest may run (Running on the node n1)`);
    expect(cause?.advice).toContain('confirm in the HA service that it is off');
  });
});

describe('what the part on a node may change', () => {
  const old = instance(spec(), { status: { nodeName: 'a' } });
  const moving = instance(spec(), { status: { nodeName: 'a', migrationState: { targetNode: 'b' } } });

  it.each([
    { who: 'the node it runs on', changed: old, before: old, nodeName: 'a', message: undefined },
    { who: 'the node it moves to', changed: moving, before: moving, nodeName: 'b', message: undefined },
    {
      who: 'another node',
      changed: moving,
      before: moving,
      nodeName: 'c',
      message: 'Node restriction, virt-handler is only allowed to modify VMIs it owns',
    },
    {
      who: 'a node that chooses where it moves to',
      changed: moving,
      before: old,
      nodeName: 'a',
      message: 'Node restriction, virt-handler is not allowed to set target node',
    },
    {
      who: 'a node that does not say which it is',
      changed: old,
      before: old,
      nodeName: undefined,
      message: 'Node restriction failed, virt-handler service account is missing node name',
    },
  ])('$who: $message', ({ changed, before, nodeName, message }) => {
    expect(judge(changed, before, handler(nodeName))).toEqual(message === undefined ? [] : [invalid('', message)]);
  });

  it('is anything where the gate was closed', () => {
    expect(judge(moving, moving, handler('c'), { disabledFeatureGates: ['NodeRestriction'] })).toEqual([]);
  });
});

describe('what the control plane may change of a spec', () => {
  it('is sockets and memory, not how far they can grow', () => {
    const old = instance(domain({ cpu: { sockets: 1, maxSockets: 4 }, memory: { guest: '1Gi', maxGuest: '4Gi' } }));
    const grown = instance(
      domain({ cpu: { sockets: 2, maxSockets: 4 }, memory: { guest: '2Gi', maxGuest: '4096Mi' } }),
    );
    const other = instance(domain({ cpu: { sockets: 1, maxSockets: 8 }, memory: { guest: '1Gi', maxGuest: '8Gi' } }));

    expect(judge(grown, old, controller)).toEqual([]);
    expect(judge(other, old, controller)).toEqual([
      invalid('', 'CPU topology maxSockets changed'),
      invalid('', 'Memory maxGuest changed'),
    ]);
  });

  const root = volume('root');
  const data = volume('data');

  it.each([
    { what: 'a volume that is plugged in', before: [root], after: [root, data], messages: [] },
    { what: 'a volume that is taken out', before: [root, data], after: [root], messages: [] },
    {
      what: 'a first volume that goes',
      before: [root, data],
      after: [data],
      messages: ['Number of permanent volumes has changed'],
    },
    {
      what: 'a first volume that changes',
      before: [root],
      after: [volume('root', 'other')],
      messages: ['permanent volume root, changed'],
    },
    {
      what: 'a plugged volume that changes',
      before: [root, data],
      after: [root, volume('data', 'other')],
      messages: ['hotplug volume data, changed'],
    },
    {
      what: 'a plugged volume that cannot be plugged',
      before: [root],
      after: [root, { name: 'data', emptyDisk: { capacity: '1Gi' } }],
      messages: ['volume data is not a PVC or DataVolume'],
    },
    {
      what: 'a plugged volume whose name is no label',
      before: [root],
      after: [root, volume('a.b', 'data')],
      messages: ['hotplug volume name [a.b] is not valid: must not contain dots'],
    },
    {
      what: 'a plugged volume whose name is a path',
      before: [root],
      after: [root, volume('../../data', 'data')],
      messages: [
        expect.stringMatching(/^hotplug volume name \[\.\.\/\.\.\/data\] is not valid: a lowercase RFC 1123 label /),
      ],
    },
    {
      what: 'a volume that was let in before, and is taken out',
      before: [root, volume('../../data', 'data')],
      after: [root],
      messages: [],
    },
  ])('judges $what', ({ before, after, messages }) => {
    const causes = judge(withStorage(after), withStorage(before), controller);

    expect(causes.map(({ message }) => message)).toEqual(messages);
  });

  it('is a first volume whose data is being moved', () => {
    const moved = { ...withStorage([volume('root', 'other')]) };
    const status = { ...moved.status, migratedVolumes: [{ volumeName: 'root' }] };

    expect(judge({ ...moved, status }, withStorage([root]), controller)).toEqual([]);
  });

  it('is a medium in an empty drive, but no disk without a volume', () => {
    const drive: Disk = { name: 'data', cdrom: { bus: 'sata' } };

    expect(
      judge(withStorage([root, data], [disk('root'), drive]), withStorage([root], [disk('root'), drive]), controller),
    ).toEqual([]);
    expect(judge(withStorage([root], [disk('root'), disk('data')]), withStorage([root]), controller)).toEqual([
      invalid('', 'mismatch between volumes declared (1) and required (2)'),
    ]);
  });

  it('is a disk that can be plugged into a running guest', () => {
    const sata: Disk = { name: 'data', disk: { bus: 'sata' } };
    const lun: Disk = { name: 'data', lun: { bus: 'virtio' } };
    const drive: Disk = { name: 'data', cdrom: {} };
    const messagesOf = (added: Disk) =>
      judge(withStorage([root, data], [disk('root'), added]), withStorage([root]), controller).map(
        ({ message }) => message,
      );

    expect(messagesOf(sata)).toEqual([
      "Hotplug configuration for disk [data] requires bus to be 'scsi' or 'virtio'. [sata] is not permitted.",
    ]);
    expect(messagesOf(lun)).toEqual([
      "Hotplug configuration for LUN [data] requires bus to be 'scsi'. [virtio] is not permitted.",
    ]);
    expect(messagesOf(drive)).toEqual([
      "Hotplug configuration for [data] requires diskDevice of type 'disk' or 'lun' to be used.",
    ]);
    expect(messagesOf({ ...disk('data'), dedicatedIOThread: true, bootOrder: 0 })).toEqual([
      'Hotplug configuration for [data] requires virtio bus for IOThreads.',
      'spec.domain.devices.disks[1] must have a boot order > 0, if supplied',
    ]);
  });

  it('keeps disks of volumes as they are', () => {
    const changed: Disk = { ...disk('root'), serial: 'other' };

    expect(judge(withStorage([root], [changed]), withStorage([root]), controller)).toEqual([
      invalid('', 'permanent disk root, changed'),
    ]);
    expect(
      judge(
        withStorage([root, data], [disk('root'), { ...disk('data'), serial: 'other' }]),
        withStorage([root, data]),
        controller,
      ),
    ).toEqual([invalid('', 'hotplug disk data, changed')]);
  });

  it('is volumes for the launcher, behind a gate and with names of their own', () => {
    const open = { featureGates: ['UtilityVolumes'] };
    const utility = (...names: readonly string[]) => withUtility(names.map((name) => ({ name, claimName: name })));

    expect(judge(utility('dump'), withStorage([root]), controller)).toEqual([
      invalid('spec.utilityVolumes', 'UtilityVolumes feature gate is not enabled'),
    ]);
    expect(judge(utility('dump'), withStorage([root]), controller, open)).toEqual([]);
    expect(judge(utility('dump', 'dump', 'root', ''), withStorage([root]), controller, open)).toEqual([
      duplicate(
        'spec.utilityVolumes[1].name',
        'spec.utilityVolumes[1] and spec.utilityVolumes[0] must not have the same Name.',
      ),
      duplicate(
        'spec.utilityVolumes[2].name',
        'spec.utilityVolumes[2] conflicts with spec.volumes[0]. UtilityVolume names must be unique across both volumes and utilityVolumes.',
      ),
      required('spec.utilityVolumes[3].name', "UtilityVolume 'name' must be set"),
      required('spec.utilityVolumes[3].claimName', "UtilityVolume PVC 'claimName' must be set"),
      invalid('', 'utility volume root cannot be a permanent volume, utility volumes must always be hotplug'),
    ]);
    expect(judge(withUtility([{ name: 'dump', claimName: 'other' }]), utility('dump'), controller, open)).toEqual([
      invalid('', 'utility volume dump has changed'),
    ]);
  });

  function withUtility(utilityVolumes: readonly { name: string; claimName: string }[]): VirtualMachineInstance {
    const object = withStorage([root]);
    return { ...object, spec: { ...object.spec, utilityVolumes } };
  }
});

function judge(
  changed: VirtualMachineInstance,
  old: VirtualMachineInstance,
  requester: Requester,
  parts: Partial<ClusterSettings> = {},
): readonly Cause[] {
  return withoutAdvice(validateInstanceUpdate(changed, old, { settings: settings(parts), requester }));
}

function volume(name: string, claimName = name): Volume {
  return { name, persistentVolumeClaim: { claimName } };
}

function disk(name: string): Disk {
  return { name, disk: { bus: 'scsi' } };
}

/** An instance whose first volume is `root`; all others were plugged in. */
function withStorage(
  volumes: readonly Volume[],
  disks: readonly Disk[] = volumes.map(({ name }) => disk(name)),
): VirtualMachineInstance {
  return instance({ ...devices({ disks }), volumes }, { status: { volumeStatus: [{ name: 'root', target: 'vda' }] } });
}

function handler(nodeName?: string): Requester {
  return nodeName === undefined ? { kind: 'handler' } : { kind: 'handler', nodeName };
}

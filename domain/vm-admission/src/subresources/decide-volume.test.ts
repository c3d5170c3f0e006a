import { describe, expect, it } from 'vitest';

import { applyJsonPatch } from '@smalt/object-patch';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { instance, machine, settings, spec, withDisk } from '../fixtures/small-instance.ts';
import { decideAddVolume, decideRemoveVolume } from './decide-volume.ts';
import type { SubresourceDecision } from './decision.ts';

describe('plugging volumes', () => {
  const options = {
    name: 'data',
    disk: { name: 'ignored', disk: { bus: 'scsi' } },
    volumeSource: { dataVolume: { name: 'data' } },
  };
  const owner = machine({ runStrategy: 'Always', template: { spec: withDisk({}) } });
  const running = instance(spec(), { status: { phase: 'Running' } });

  it('adds volume and disk to a virtual machine for good', () => {
    expect(patched(decideAddVolume(owner, options, settings()), owner)).toMatchObject({
      spec: {
        template: {
          spec: {
            volumes: [{ name: 'root' }, { name: 'data', dataVolume: { name: 'data', hotpluggable: true } }],
            domain: { devices: { disks: [{ name: 'root' }, { name: 'data', disk: { bus: 'scsi' } }] } },
          },
        },
      },
    });
  });

  it('adds the first volume of an instance, and takes it out again', () => {
    const plugged = patchedInstance(decideAddVolume(running, options, settings()), running);

    expect(plugged).toMatchObject({ spec: { volumes: [{ name: 'data' }] } });
    expect(patchedInstance(decideRemoveVolume(plugged, { name: 'data' }, settings()), plugged)).toMatchObject({
      spec: { volumes: [], domain: { devices: { disks: [] } } },
    });
  });

  const owned = {
    ...running,
    metadata: {
      ...running.metadata,
      ownerReferences: [
        { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'small', uid: 'a', controller: true },
      ],
    },
  };
  const closed = settings({ disabledFeatureGates: ['DeclarativeHotplugVolumes'] });
  const { name: _name, ...nameless } = options;
  const { disk: _disk, ...diskless } = options;
  const { volumeSource: _source, ...sourceless } = options;

  it.each([
    {
      decision: decideAddVolume(owner, nameless, settings()),
      code: 400,
      message: 'AddVolumeOptions requires name to be set',
    },
    {
      decision: decideAddVolume(owner, { ...options, name: 'a.b' }, settings()),
      code: 400,
      message: 'AddVolumeOptions requires name to be a DNS label: must not contain dots',
    },
    ...['../data', '../../../../../../../../proc', '..', 'A', 'a'.repeat(64)].map((name) => ({
      decision: decideAddVolume(running, { ...options, name }, settings()),
      code: 400,
      message: expect.stringMatching(/^AddVolumeOptions requires name to be a DNS label: /),
    })),
    {
      decision: decideAddVolume(owner, diskless, settings()),
      code: 400,
      message: 'AddVolumeOptions requires disk to not be nil',
    },
    {
      decision: decideAddVolume(owner, sourceless, settings()),
      code: 400,
      message: 'AddVolumeOptions requires VolumeSource to not be nil',
    },
    {
      decision: decideAddVolume(owner, options, closed),
      code: 400,
      message: 'Enable DeclarativeHotplugVolumes or HotplugVolumes feature gate to use this API.',
    },
    {
      decision: decideAddVolume(owner, { ...options, name: 'root' }, settings()),
      code: 409,
      message: 'Unable to add volume [root] because volume with that name already exists',
    },
    {
      decision: decideAddVolume(
        owner,
        { ...options, volumeSource: { persistentVolumeClaim: { claimName: 'root' } } },
        settings(),
      ),
      code: 409,
      message: 'Unable to add volume source [root] because it already exists',
    },
    { decision: decideAddVolume(instance(), options, settings()), code: 409, message: 'VMI is not running' },
    { decision: decideAddVolume(owned, options, settings()), code: 400, message: 'VMI default/small is owned by a VM' },
    {
      decision: decideRemoveVolume(owner, {}, settings()),
      code: 400,
      message: 'RemoveVolumeOptions requires name to be set',
    },
    {
      decision: decideRemoveVolume(owner, { name: 'data' }, settings()),
      code: 409,
      message: 'Unable to remove volume [data] because it does not exist',
    },
    {
      decision: decideRemoveVolume(owner, { name: 'root' }, settings()),
      code: 409,
      message: 'Unable to remove volume [root] because it is not hotpluggable',
    },
    {
      decision: decideRemoveVolume(owner, { name: 'root' }, closed),
      code: 400,
      message: 'Enable DeclarativeHotplugVolumes or HotplugVolumes feature gate to use this API.',
    },
  ])('refuses with $code: $message', ({ decision, code, message }) => {
    expect(decision).toMatchObject({ kind: 'refuse', code, message });
  });
});

function patched(decision: SubresourceDecision, object: VirtualMachine): VirtualMachine {
  return patch(decision, object, ['machine', 'machine-status']);
}

function patchedInstance(decision: SubresourceDecision, object: VirtualMachineInstance): VirtualMachineInstance {
  return patch(decision, object, ['instance']);
}

function patch<Item>(decision: SubresourceDecision, object: Item, targets: readonly string[]): Item {
  if (decision.kind !== 'patch') throw new Error(`no patch: ${JSON.stringify(decision)}`);
  return decision.patches
    .filter(({ target }) => targets.includes(target))
    .reduce((before, { operations }) => apply(before, operations), object);
}

function apply<Item>(object: Item, operations: readonly unknown[]): Item {
  return applyJsonPatch(JSON.parse(JSON.stringify(object)), JSON.parse(JSON.stringify(operations))) as Item;
}

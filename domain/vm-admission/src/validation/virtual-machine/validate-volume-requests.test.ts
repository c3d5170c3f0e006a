import { describe, expect, it } from 'vitest';

import type { VirtualMachine, VirtualMachineVolumeRequest } from '@smalt/vm-api';

import { invalid, notSupported, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { context, instance, machine, spec, withDisk, withoutAdvice } from '../../fixtures/small-instance.ts';
import { validateVirtualMachine } from './validate-virtual-machine.ts';

describe('the rules about volume requests', () => {
  const field = 'Status.volumeRequests';

  it.each([
    {
      rule: 'a request asks for something',
      bad: [{}],
      causes: [
        invalid(field, 'VolumeRequests require one of either addVolumeOptions or removeVolumeOptions to be set'),
      ],
    },
    {
      rule: 'a request asks for one thing',
      bad: [{ ...add('a'), removeVolumeOptions: { name: 'a' } }],
      causes: [
        invalid(field, 'VolumeRequests require either addVolumeOptions or removeVolumeOptions to be set, not both'),
      ],
    },
    {
      rule: 'a volume is added once',
      bad: [add('a'), add('a')],
      causes: [invalid(field, 'AddVolume request for [a] aleady exists')],
    },
    {
      rule: 'a volume is removed once',
      bad: [{ removeVolumeOptions: { name: 'a' } }, { removeVolumeOptions: { name: 'a' } }],
      causes: [invalid(field, 'RemoveVolume request for [a] aleady exists')],
    },
    {
      rule: 'a disk can be plugged in',
      bad: [add('a', 'sata')],
      causes: [
        invalid(
          field,
          "AddVolume request for disk [a] requires bus to be 'scsi' or 'virtio'. [sata] is not permitted.",
        ),
      ],
    },
    {
      rule: 'a volume of that name is another',
      bad: [
        {
          addVolumeOptions: {
            name: 'root',
            disk: { name: 'root', disk: { bus: 'scsi' } },
            volumeSource: { dataVolume: { name: 'b' } },
          },
        },
      ],
      causes: [
        invalid(
          field,
          'AddVolume request for [root] conflicts with an existing volume of the same name on the vmi template.',
        ),
      ],
    },
  ])('$rule', ({ bad, causes }) => {
    expect(judge(withRequests(bad))).toEqual(causes);
  });

  it('judges what the spec would become, and nothing while the guest moves', () => {
    const moving = instance(spec(), { status: { migrationState: { startTimestamp: '2026-01-01T00:00:00Z' } } });

    expect(judge(withRequests([add('a')]))).toEqual([]);
    expect(judge(withRequests([add('a.b')])).map(({ message }) => message)).toEqual(['must not contain dots']);
    expect(
      withoutAdvice(validateVirtualMachine(withRequests([add('a')]), undefined, { ...context(), instance: moving })),
    ).toEqual([notSupported('spec', 'Cannot handle volume requests while VMI migration is in progress')]);
  });
});

function judge(object: VirtualMachine, settings: Partial<ClusterSettings> = {}): readonly Cause[] {
  return withoutAdvice(validateVirtualMachine(object, undefined, context(settings)));
}

function add(name: string, bus = 'scsi'): VirtualMachineVolumeRequest {
  return {
    addVolumeOptions: {
      name,
      disk: { name, disk: { bus } },
      volumeSource: { persistentVolumeClaim: { claimName: name } },
    },
  };
}

function withRequests(volumeRequests: readonly VirtualMachineVolumeRequest[]): VirtualMachine {
  return machine({ runStrategy: 'Always', template: { spec: withDisk({}) } }, { status: { volumeRequests } });
}

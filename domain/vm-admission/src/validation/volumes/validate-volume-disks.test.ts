import { describe, expect, it } from 'vitest';

import type { Volume } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { invalid } from '../../cause.ts';
import { context, devices, instance, spec } from '../../fixtures/small-instance.ts';
import { validateInstance } from '../validate-instance.ts';

const emptyDisk = { emptyDisk: { capacity: '1Gi' } };

describe('the rules about volumes and their disks', () => {
  it('shows each volume of an instance to the guest', () => {
    const parts = spec({
      volumes: [
        { name: 'a', ...emptyDisk },
        { name: 'b', memoryDump: { claimName: 'b' } },
      ],
    });

    const causes = validateInstance(instance(parts), context());

    expect(causes).toEqual([
      {
        type: 'FieldValueInvalid',
        field: 'spec.domain.volumes[0].name',
        message: "spec.domain.volumes[0].name 'a' not found.",
        advice: 'Add a disk or a file system named a, or remove spec.volumes[0].',
      },
    ]);
  });

  it('takes a file system in place of a disk', () => {
    const parts = {
      ...devices({ filesystems: [{ name: 'a', virtiofs: {} }] }),
      volumes: [{ name: 'a', configMap: { name: 'a' } }],
    };

    expect(judge(parts)).toEqual([]);
  });

  it('shows paths of the launcher as file systems only, and never its own', () => {
    const own: Volume = { name: 'data', containerPath: { path: '/var/run/libvirt/secret' } };
    const other: Volume = { name: 'data', containerPath: { path: '/var/run/secrets/token' } };
    const field = 'spec.domain.volumes[0]';

    expect(judge({ ...devices({ disks: [{ name: 'data' }] }), volumes: [own] })).toEqual([
      invalid(field, "ContainerPath volume 'data' must be mapped to a filesystem, not a disk"),
      invalid(
        field,
        "ContainerPath volume 'data' must have a matching filesystem defined in spec.domain.devices.filesystems",
      ),
      invalid(
        `${field}.containerPath.path`,
        "ContainerPath volume 'data' uses reserved path prefix '/var/run/libvirt'",
      ),
    ]);
    expect(judge({ ...devices({ filesystems: [{ name: 'data', virtiofs: {} }] }), volumes: [other] })).toEqual([]);
  });
});

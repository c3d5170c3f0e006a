import { describe, expect, it } from 'vitest';

import { judge } from '../../fixtures/judge.ts';
import { invalid, required } from '../../cause.ts';
import { devices, withDisk } from '../../fixtures/small-instance.ts';

const LIST = 'spec.domain.devices.disks';
const FIRST = `${LIST}[0]`;
const virtio = { disk: { bus: 'virtio' } };

describe('the rules about disks and their volumes', () => {
  const metrics = { featureGates: ['DownwardMetrics'] };

  it.each([
    {
      rule: 'a disk has a volume',
      bad: devices({ disks: [{ name: 'root' }] }),
      causes: [invalid(`${FIRST}.name`, `${FIRST}.Name 'root' not found.`)],
      good: withDisk({}),
    },
    {
      rule: 'a LUN is on a claim',
      bad: withDisk({ lun: {} }, { emptyDisk: { capacity: '1Gi' } }),
      causes: [
        invalid(`${FIRST}.lun`, `${FIRST}.lun can only be mapped to a DataVolume or PersistentVolumeClaim volume.`),
      ],
      good: withDisk({ lun: {} }, { dataVolume: { name: 'root' } }),
    },
    {
      rule: 'metrics are on a disk',
      bad: withDisk({ cdrom: {} }, { downwardMetrics: {} }),
      causes: [
        required(
          `${FIRST}.disk`,
          `DownwardMetrics volume must be mapped to a disk, but disk is not set on ${FIRST}.disk.`,
        ),
      ],
      good: withDisk({ disk: {} }, { downwardMetrics: {} }),
    },
    {
      rule: 'metrics are on virtio',
      bad: withDisk({ disk: { bus: 'sata' } }, { downwardMetrics: {} }),
      causes: [
        invalid(
          `${FIRST}.disk.bus`,
          `DownwardMetrics volume must be mapped to virtio bus, but ${FIRST}.disk.bus is set to sata`,
        ),
      ],
      good: withDisk(virtio, { downwardMetrics: {} }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad, metrics)).toEqual(causes);
    expect(judge(good, metrics)).toEqual([]);
  });

  it('lets a CD-ROM be empty where media can be put in later', () => {
    const empty = devices({ disks: [{ name: 'drive', cdrom: {} }] });

    expect(judge(empty)).toEqual([]);
    expect(judge(empty, { disabledFeatureGates: ['DeclarativeHotplugVolumes'] })).toEqual([
      invalid(
        `${FIRST}.name`,
        'DeclarativeHotplugVolumes feature gate not enabled, cannot define an empty CD-ROM disk',
      ),
    ]);
  });
});

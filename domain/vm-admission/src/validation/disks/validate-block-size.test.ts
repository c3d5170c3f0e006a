import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { invalid } from '../../cause.ts';
import { withDisk } from '../../fixtures/small-instance.ts';

const LIST = 'spec.domain.devices.disks';
const FIRST = `${LIST}[0]`;
const BLOCK = `${FIRST}.blockSize`;

describe('the rules about block sizes', () => {
  it.each([
    {
      rule: 'a size is given or taken from the volume',
      bad: withDisk({ blockSize: { custom: { logical: 512, physical: 512 }, matchVolume: {} } }),
      causes: [invalid(BLOCK, "Block size matching can't be enabled together with a custom value")],
      good: withDisk({ blockSize: { custom: { logical: 512, physical: 512 }, matchVolume: { enabled: false } } }),
    },
    {
      rule: 'a logical block is not larger than a physical one',
      bad: custom(4096, 512),
      causes: [
        invalid(`${BLOCK}.custom.logical`, 'Logical size 4096 must be the same or less than the physical size of 512'),
      ],
      good: custom(4096, 4096),
    },
    {
      rule: 'a logical block on SATA is of 512 bytes',
      bad: withDisk({ disk: { bus: 'sata' }, blockSize: { custom: { logical: 4096, physical: 4096 } } }),
      causes: [invalid(`${BLOCK}.custom.logical`, 'Logical size 4096 must be 512 for SATA devices')],
      good: withDisk({ disk: { bus: 'sata' }, blockSize: { custom: { logical: 512, physical: 4096 } } }),
    },
    {
      rule: 'what is discarded is whole blocks',
      bad: withDisk({ blockSize: { custom: { logical: 512, physical: 512, discardGranularity: 700 } } }),
      causes: [
        invalid(`${BLOCK}.custom.discardGranularity`, 'Discard granularity 700 must be multiples of logical size 512'),
      ],
      good: withDisk({ blockSize: { custom: { logical: 512, physical: 512, discardGranularity: 1024 } } }),
    },
    {
      rule: 'a block is not too small',
      bad: custom(128, 512),
      causes: [
        invalid(`${BLOCK}.custom.logical`, 'Provided size of 128 is less than the supported minimum size of 512'),
      ],
      good: custom(512, 512),
    },
    {
      rule: 'a block is not too large',
      bad: custom(512, 4_194_304),
      causes: [
        invalid(
          `${BLOCK}.custom.physical`,
          'Provided size of 4194304 is greater than the supported maximum size of 2097152',
        ),
      ],
      good: custom(512, 2_097_152),
    },
    {
      rule: 'a block is a power of two',
      bad: custom(1000, 1000),
      causes: [
        invalid(`${BLOCK}.custom.logical`, 'Provided size of 1000 is not a power of 2'),
        invalid(`${BLOCK}.custom.physical`, 'Provided size of 1000 is not a power of 2'),
      ],
      good: custom(1024, 1024),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});

function custom(logical: number, physical: number): VirtualMachineInstanceSpec {
  return withDisk({ blockSize: { custom: { logical, physical } } });
}

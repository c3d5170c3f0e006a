import { checkDns1123Label } from '@smalt/kubernetes';
import type { Disk } from '@smalt/vm-api';

import { invalid, notSupported, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';
import { validateBlockSize } from './validate-block-size.ts';
import { validateDiskBus } from './validate-disk-bus.ts';

const MAX_SERIAL = 256;
const SERIAL = /^[A-Za-z0-9_.+-]+$/;
const CACHES: readonly string[] = ['none', 'writethrough', 'writeback'];
const IO_MODES: readonly string[] = ['native', 'threads'];
const ERROR_POLICIES: readonly string[] = ['stop', 'ignore', 'report', 'enospace'];

/** Each disk for itself, and that no two have the same name. */
export function validateDisks({ path, spec }: SpecScope): readonly Cause[] {
  const { disks = [] } = spec.domain.devices;
  const list = `${path}.domain.devices.disks`;
  return disks.flatMap((disk, index) => {
    const field = `${list}[${index}]`;
    return [
      ...repeatedNames(disks, index, list),
      ...validateDiskBus(disk, field),
      ...validateBootOrder(disk, field),
      ...validateSerial(disk, field),
      ...validateModes(disk, field, list),
      // The name becomes that of a container, and the pod with a bad one would never be placed.
      ...checkDns1123Label(disk.name).map((problem) => invalid(`${field}.name`, problem)),
      ...validateBlockSize(disk, field),
    ];
  });
}

function repeatedNames(disks: readonly Disk[], index: number, list: string): readonly Cause[] {
  return disks.slice(0, index).flatMap((other, otherIndex) => {
    if (other.name !== disks[index]?.name) return [];
    const message = `${list}[${index}] and ${list}[${otherIndex}] must not have the same Name.`;
    return [invalid(`${list}[${index}].name`, message)];
  });
}

function validateBootOrder({ bootOrder }: Disk, field: string): readonly Cause[] {
  if (bootOrder === undefined || bootOrder >= 1) return [];
  return [invalid(`${field}.bootOrder`, `${field} must have a boot order > 0, if supplied`)];
}

function validateSerial({ serial = '' }: Disk, field: string): readonly Cause[] {
  if (serial === '') return [];
  const characters = `${field} must be made up of the following characters [A-Za-z0-9_.+-], if specified`;
  const length = `${field} must be less than or equal to ${MAX_SERIAL} in length, if specified`;
  return [
    ...(SERIAL.test(serial) ? [] : [invalid(`${field}.serial`, characters)]),
    ...(serial.length > MAX_SERIAL ? [invalid(`${field}.serial`, length)] : []),
  ];
}

function validateModes({ cache = '', io = '', errorPolicy }: Disk, field: string, list: string): readonly Cause[] {
  const causes: Cause[] = [];
  if (cache !== '' && !CACHES.includes(cache)) {
    const advice = `Use one of ${CACHES.join(', ')}.`;
    causes.push(invalid(`${field}.cache`, `${field}.cache has invalid value ${cache}`, advice));
  }
  if (io !== '' && !IO_MODES.includes(io)) {
    const message = `Disk IO mode for ${list} is not supported. Supported modes are: native, threads.`;
    causes.push(notSupported(`${field}.io`, message));
  }
  if (errorPolicy !== undefined && !ERROR_POLICIES.includes(errorPolicy)) {
    const advice = `Use one of ${ERROR_POLICIES.join(', ')}.`;
    causes.push(invalid(`${field}.errorPolicy`, `${field}.errorPolicy has invalid value "${errorPolicy}"`, advice));
  }
  return causes;
}

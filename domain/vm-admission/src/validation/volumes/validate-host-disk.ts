import { quantitySign } from '@smalt/quantity';
import type { Volume } from '@smalt/vm-api';

import { invalid, notFound, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import { readAmount } from '../../resource-amounts.ts';

const TYPES: readonly string[] = ['Disk', 'DiskOrCreate'];

/** A disk on the host is allowed at all, has a path, and a size only where it may have to be made. */
export function validateHostDisk(
  { hostDisk }: Volume,
  volumeField: string,
  settings: ClusterSettings,
): readonly Cause[] {
  if (hostDisk === undefined) return [];
  const field = `${volumeField}.hostDisk`;
  const { path, type, capacity } = hostDisk;
  const size = readAmount(capacity);
  const causes: Cause[] = [];
  if (!isGateOpen(settings, 'HostDisk')) {
    causes.push(invalid(volumeField, 'HostDisk feature gate is not enabled', gateAdvice('HostDisk')));
  }
  if (path === '') causes.push(notFound(`${field}.path`, `${field}.path is required for hostDisk volume`));
  if (!TYPES.includes(type)) {
    const message = `${field}.type has invalid value '${type}', allowed are 'Disk' or 'DiskOrCreate'`;
    causes.push(invalid(`${field}.type`, message));
  }
  if (type === 'Disk' && size !== undefined && quantitySign(size) !== 0) {
    const message = `${field}.capacity is allowed to pass only with ${field}.type equal to 'DiskOrCreate'`;
    causes.push(invalid(`${field}.capacity`, message));
  }
  return causes;
}

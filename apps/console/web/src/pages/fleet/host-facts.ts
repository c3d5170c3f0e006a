import type { Hypervisor } from '@smalt/fleet-api';

import { quantityValue } from '../../parts/quantity-value.ts';

/** What a host or one of its NUMA cells has of something, and what its guests were given. */
export interface Share {
  readonly given: number;
  /** What there is to give, overcommit included; NaN when it is not said. */
  readonly total: number;
}

type Quantities = Readonly<Record<string, number | string>>;

interface Holder {
  readonly allocation?: Quantities | undefined;
  readonly capacity?: Quantities | undefined;
  readonly effectiveCapacity?: Quantities | undefined;
}

export type ResourceName = 'cpu' | 'memory';

/** How much of a resource is given away. */
export function shareOf(holder: Holder | undefined, resource: ResourceName): Share {
  const total = quantityValue((holder?.effectiveCapacity ?? holder?.capacity)?.[resource]);
  const given = quantityValue(holder?.allocation?.[resource]);
  return { given: Number.isNaN(given) ? 0 : given, total };
}

/** The part that is given away, from 0 to 1 and beyond; NaN when that cannot be said. */
export function fractionOf({ given, total }: Share): number {
  return total > 0 ? given / total : Number.NaN;
}

/** The versions of what runs on it, such as `libvirt 9.0.0`. */
export function versionsOf({ status }: Hypervisor): readonly string[] {
  const named = [
    ['libvirt', status?.libVirtVersion],
    ['hypervisor', status?.hypervisorVersion],
  ] as const;
  return named.flatMap(([name, version]) => (isKnown(version) ? [`${name} ${version}`] : []));
}

/** The operating system with its kernel, in words. */
export function systemOf({ status }: Hypervisor): string {
  const { prettyVersion, kernelRelease } = status?.operatingSystem ?? {};
  return [prettyVersion, kernelRelease].filter(isKnown).join(', ');
}

function isKnown(text: string | undefined): text is string {
  return text !== undefined && text !== '' && text !== 'unknown';
}

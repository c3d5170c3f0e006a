import type { CPU } from '@smalt/vm-api';

/** How many processors the guest sees. A part of the topology that is not set counts as one, unless none is: then it is none. */
export function virtualProcessors(cpu: CPU | undefined): number {
  const parts = [cpu?.cores, cpu?.sockets, cpu?.threads].filter((part) => part !== undefined && part !== 0);
  return parts.length === 0 ? 0 : parts.reduce<number>((product, part) => product * (part ?? 1), 1);
}

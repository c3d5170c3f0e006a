import type { InterfaceFacts } from '../switch-facts.ts';

const UNITS: readonly (readonly [bigint, string])[] = [
  [1_000_000_000n, 'Gbps'],
  [1_000_000n, 'Mbps'],
  [1_000n, 'kbps'],
];

/** A speed in bit/s as an operator writes it: `25Gbps`, `2.5Gbps`, `100Mbps`. */
export function formatSpeed(bitsPerSecond: bigint): string {
  const [size, unit] = UNITS.find(([least]) => bitsPerSecond >= least) ?? [1n, 'bps'];
  const thousandths = (bitsPerSecond * 1_000n) / size;
  return `${Number(thousandths) / 1_000}${unit}`;
}

/**
 * The speed of an interface. Open vSwitch before 3.2 leaves it out for 2.5, 25, 50 and 200 Gbit/s: then the kernel's
 * word counts, then what a DPDK driver says.
 */
export function speedOf(
  { name, linkSpeed, status }: Pick<InterfaceFacts, 'name' | 'linkSpeed' | 'status'>,
  kernelSpeeds: ReadonlyMap<string, bigint>,
): string | undefined {
  const known = [linkSpeed, kernelSpeeds.get(name)].find((speed) => speed !== undefined && speed > 0n);
  if (known !== undefined) return formatSpeed(known);
  const told = status.get('link_speed');
  return told !== undefined && /^\d+(\.\d+)?\s?[kMGT]bps$/.test(told) ? told.replace(' ', '') : undefined;
}

import type { TypedParameters } from '@smalt/libvirt';

/** Takes one number out of a domain's statistics; nothing if the daemon did not tell it. */
export type MetricReading = (statistics: TypedParameters, prefix: string) => number | undefined;

/** The number as it is. */
export function plain(field: string): MetricReading {
  return (statistics, prefix) => numberAt(statistics, prefix + field);
}

/** KiB, in which libvirt counts memory, as bytes. */
export function kibibytes(field: string): MetricReading {
  return (statistics, prefix) => scaled(numberAt(statistics, prefix + field), (value) => value * 1024);
}

/** Nanoseconds as seconds. */
export function nanoseconds(field: string): MetricReading {
  return (statistics, prefix) => scaled(numberAt(statistics, prefix + field), (value) => value / 1e9);
}

/** How much of the memory it sees a guest has in use, in percent, if its balloon driver tells. */
export function usedPercent(statistics: TypedParameters, prefix: string): number | undefined {
  const available = numberAt(statistics, `${prefix}available`);
  const usable = numberAt(statistics, `${prefix}usable`);
  if (available === undefined || usable === undefined || available === 0) return undefined;
  return ((available - usable) / available) * 100;
}

/** A field that is a number, of whatever width. */
export function numberAt(statistics: TypedParameters, field: string): number | undefined {
  const value = statistics[field];
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

function scaled(value: number | undefined, scale: (value: number) => number): number | undefined {
  return value === undefined ? undefined : scale(value);
}

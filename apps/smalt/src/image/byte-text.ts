const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** An amount of bytes for people, such as `1.5 GiB`. */
export function byteText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** power;
  return `${Number(amount.toFixed(amount < 10 ? 1 : 0))} ${UNITS[power]}`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Bytes for people, with three figures at most: `512 B`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return '–';
  let unit = 0;
  let value = bytes;
  while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${trim(value.toFixed(digits))} ${UNITS[unit]}`;
}

function trim(number: string): string {
  return number.includes('.') ? number.replace(/[.]?0+$/, '') : number;
}

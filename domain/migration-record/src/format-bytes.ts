const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

/** Bytes for people: `512 B`, `1.5 KiB`, `4.0 GiB`. What is just below the next unit stays: `1024.0 KiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let amount = bytes / 1024;
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${oneDecimal(amount)} ${UNITS[unit]}`;
}

/** Reads what `formatBytes` wrote, as exactly as it was written. Nothing if it is something else. */
export function parseBytes(text: string): number | undefined {
  const { amount, unit } = /^(?<amount>\d+(?:\.\d)?) (?<unit>[KMGTPE]iB|B)$/.exec(text)?.groups ?? {};
  if (amount === undefined || unit === undefined) return undefined;
  return Number(amount) * 1024 ** ['B', ...UNITS].indexOf(unit);
}

// Go, whose output this must equal, rounds a tie to the even digit; toFixed rounds it up.
function oneDecimal(amount: number): string {
  const tenths = Math.floor(amount * 10);
  const isTie = amount * 10 - tenths === 0.5;
  return isTie ? ((tenths + (tenths % 2)) / 10).toFixed(1) : amount.toFixed(1);
}

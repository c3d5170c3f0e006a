const LEAP = 10;

/** The row that a key leads to from the active one; undefined for keys that lead nowhere. */
export function nextRow(key: string, active: number, count: number): number | undefined {
  const target = targetOf(key, active, count);
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target));
}

function targetOf(key: string, active: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return active + 1;
    case 'ArrowUp':
      return active - 1;
    case 'PageDown':
      return active + LEAP;
    case 'PageUp':
      return active - LEAP;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Writes a double as Go's %g does: the fewest digits that read back the same, with an exponent when it is large. */
export function formatDouble(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) return `${mantissa}e${exponentDigits(exponent)}`;
  return toPlain(value);
}

/** Writes a double with so many decimals, without an exponent however large it is. */
export function formatFixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  if (Math.abs(value) < 1e21) return value.toFixed(Math.min(decimals, 100));
  return `${BigInt(value)}${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
}

function toPlain(value: number): string {
  const shortest = String(value);
  if (!shortest.includes('e')) return shortest;
  const [mantissa = '', exponent = '0'] = shortest.split('e');
  const decimals = (mantissa.split('.')[1] ?? '').length - Number(exponent);
  return value.toFixed(Math.max(0, Math.min(decimals, 100)));
}

function exponentDigits(exponent: number): string {
  return `${exponent < 0 ? '-' : '+'}${Math.abs(exponent).toString().padStart(2, '0')}`;
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

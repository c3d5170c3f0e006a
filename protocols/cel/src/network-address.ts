/** An IPv4 or IPv6 address as a number. */
export interface Address {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

/** Reads an address as strictly as Go does, or returns the reason that Go gives for refusing it. Zones are refused. */
export function parseAddress(text: string): Address | string {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return parseVersion4(text);
  if (first === ':') return parseVersion6(text);
  return first === '%' ? 'missing IPv6 address' : 'unable to parse IP';
}

/** Writes an address in its canonical form: the longest run of zeros of an IPv6 address is left out. */
export function formatAddress({ value, bits }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(16 * (7 - index))) & 0xffffn));
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    const end = groups.findIndex((group, index) => index >= start && group !== 0);
    const length = (end === -1 ? groups.length : end) - start;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function parseVersion4(text: string): Address | string {
  const odd = /[^0-9.]/.exec(text);
  if (odd !== null) return at('unexpected character', text.slice(odd.index));
  const octets = text.split('.');
  let value = 0n;
  let offset = 0;
  for (const [index, octet] of octets.entries()) {
    // A dot with no digit before it is what is wrong, or else the end of the text.
    if (octet === '')
      return at('IPv4 field must have at least one digit', text.slice(Math.min(offset, text.length - 1)));
    if (octet.length > 1 && octet.startsWith('0')) return 'IPv4 field has octet with leading zero';
    if (Number(octet) > 255) return 'IPv4 field has value >255';
    if (index === 4) return 'IPv4 address too long';
    value = (value << 8n) | BigInt(octet);
    offset += octet.length + 1;
  }
  return octets.length < 4 ? 'IPv4 address too short' : { value, bits: 32 };
}

function parseVersion6(text: string): Address | string {
  const groups: bigint[] = [];
  let rest = text;
  let gap = -1;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
    if (rest === '') return { value: 0n, bits: 128 };
  }
  while (groups.length < 8) {
    const [digits = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    const group = readGroup(digits, rest, groups.length, gap);
    if (typeof group === 'string') return group;
    groups.push(...group);
    if (group.length === 2) rest = '';
    else rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return at('unexpected character, want colon', rest);
    if (rest.length === 1) return at('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (gap >= 0) return at('multiple :: in address', rest);
    gap = groups.length;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  return rest === '' ? expand(groups, gap) : at('trailing garbage after address', rest);
}

// One group of hexadecimal digits, or the two groups that an IPv4 address at the end stands for.
function readGroup(digits: string, rest: string, index: number, gap: number): readonly bigint[] | string {
  if (digits.length > 4) return at('each group must have 4 or less digits', rest);
  if (digits === '') return at('each colon-separated field must have at least one digit', rest);
  if (rest[digits.length] !== '.') return [BigInt(`0x${digits}`)];
  if (gap < 0 && index !== 6) return at('embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (index > 6) return at('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const embedded = parseVersion4(rest);
  return typeof embedded === 'string' ? embedded : [embedded.value >> 16n, embedded.value & 0xffffn];
}

function expand(groups: readonly bigint[], gap: number): Address | string {
  if (groups.length < 8 && gap < 0) return 'address string too short';
  if (groups.length === 8 && gap >= 0) return 'the :: must expand to at least one field of zeros';
  const zeros = Array.from({ length: 8 - groups.length }, () => 0n);
  const all = gap < 0 ? groups : [...groups.slice(0, gap), ...zeros, ...groups.slice(gap)];
  return { value: all.reduce((value, group) => (value << 16n) | group, 0n), bits: 128 };
}

function at(reason: string, rest: string): string {
  return `${reason} (at ${JSON.stringify(rest)})`;
}

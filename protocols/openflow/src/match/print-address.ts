/** `192.168.7.1` */
export function printIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

/** `52:54:00:00:00:01` */
export function printMac(value: bigint): string {
  return value
    .toString(16)
    .padStart(12, '0')
    .replaceAll(/(..)(?!$)/g, '$1:');
}

/** `fe80::1`: the longest row of zeros left out, as inet_ntop(3) writes it. */
export function printIpv6(value: bigint): string {
  const words = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn));
  const zeros = longestZeros(words);
  const isMapped = zeros.start === 0 && (zeros.length === 6 || (zeros.length === 5 && words[5] === 0xffff));
  if (isMapped) return `${zeros.length === 6 ? '::' : '::ffff:'}${printIpv4(value & 0xffff_ffffn)}`;
  if (zeros.length < 2) return printWords(words);
  return `${printWords(words.slice(0, zeros.start))}::${printWords(words.slice(zeros.start + zeros.length))}`;
}

function printWords(words: readonly number[]): string {
  return words.map((word) => word.toString(16)).join(':');
}

function longestZeros(words: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: -1, length: 0 };
  let start = 0;
  for (let index = 0; index <= words.length; index++) {
    if (words[index] === 0) continue;
    if (index - start > best.length) best = { start, length: index - start };
    start = index + 1;
  }
  return best;
}

/** How many leading bits a mask has, or undefined if they are not all in front. */
export function prefixLength(mask: bigint, bits: number): number | undefined {
  const inverted = mask ^ ((1n << BigInt(bits)) - 1n);
  // All ones at the end, and nothing else: one more than it is a power of two.
  if ((inverted & (inverted + 1n)) !== 0n) return undefined;
  return inverted === 0n ? bits : bits - inverted.toString(2).length;
}

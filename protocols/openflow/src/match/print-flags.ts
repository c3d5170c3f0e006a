export const CONNTRACK_FLAGS: readonly string[] = ['new', 'est', 'rel', 'rpl', 'inv', 'trk', 'snat', 'dnat'];
export const TCP_FLAGS: readonly string[] = [
  'fin',
  'syn',
  'rst',
  'psh',
  'ack',
  'urg',
  'ece',
  'cwr',
  'ns',
  '[200]',
  '[400]',
  '[800]',
];
export const TUNNEL_FLAGS: readonly string[] = ['oam'];

/** `+new-est+trk`: the bits that count, with a plus for those that are set. */
export function printMaskedFlags(value: bigint, mask: bigint, names: readonly string[]): string {
  return names
    .map((name, bit) => ({ name, bit: 1n << BigInt(bit) }))
    .filter(({ bit }) => (mask & bit) !== 0n)
    .map(({ name, bit }) => `${(value & bit) === 0n ? '-' : '+'}${name}`)
    .join('');
}

/** `new|trk`: the bits that are set, `0` for none. */
export function printFlags(value: bigint, names: readonly string[]): string {
  const set = names.filter((_, bit) => ((value >> BigInt(bit)) & 1n) === 1n);
  const rest = value >> BigInt(names.length);
  const unnamed = rest === 0n ? [] : [`0x${(rest << BigInt(names.length)).toString(16)}`];
  return set.length + unnamed.length === 0 ? '0' : [...set, ...unnamed].join('|');
}

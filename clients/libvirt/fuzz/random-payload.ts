import type { RandomSource } from './random-source.ts';

/** Words at which decoders tend to go wrong. */
const AWKWARD_WORDS = [
  0, 1, 2, 7, 16, 255, 0x7fff_ffff, 0x8000_0000, 0xffff_fffc, 0xffff_ffff, 4_194_304, 16_384,
] as const;

/** How many items the protocol allows in its various lists. */
const LONGEST_LISTS = [16, 20, 64, 128, 256, 1024, 2048, 4096, 16_384] as const;

/**
 * Bytes that look enough like XDR to get deep into a decoder: small counts, strings with their length, and now and then
 * a word that no decoder should believe.
 */
export function randomPayload(random: RandomSource): Buffer {
  const parts = Array.from({ length: random.integer(24) }, () => randomPart(random));
  const payload = Buffer.concat(parts);
  return random.oneIn(8) ? payload.subarray(0, random.integer(payload.length + 1)) : payload;
}

/**
 * A list as long as the protocol lets one be, or one item longer, after a few words: the items are all alike, and
 * sometimes the last one is cut off.
 */
export function longPayload(random: RandomSource): Buffer {
  const count = random.pick(LONGEST_LISTS) + random.integer(2);
  const parts = Array.from({ length: 1 + random.integer(4) }, () => randomPart(random));
  const item = random.oneIn(2) ? Buffer.concat(parts) : Buffer.alloc(4 * (1 + random.integer(8)));
  const items = Buffer.alloc(count * item.length, item.length > 0 ? item : 0);
  const start = Array.from({ length: random.integer(3) }, () => randomPart(random));
  const payload = Buffer.concat([...start, word(count), items, word(count)]);
  return random.oneIn(4) ? payload.subarray(0, payload.length - 1 - random.integer(8)) : payload;
}

/** A copy with a few bytes changed, lost, doubled or cut off. */
export function mutate(random: RandomSource, original: Buffer): Buffer {
  const bytes = Buffer.from(original);
  for (let change = random.integer(4); change >= 0 && bytes.length > 0; change--) {
    bytes[random.integer(bytes.length)] = random.integer(256);
  }
  const at = random.integer(bytes.length + 1);
  if (random.oneIn(6)) return bytes.subarray(0, at);
  if (random.oneIn(6))
    return Buffer.concat([bytes.subarray(0, at), random.bytes(random.integer(9)), bytes.subarray(at)]);
  return bytes;
}

function randomPart(random: RandomSource): Buffer {
  switch (random.integer(6)) {
    case 0:
      return word(random.pick(AWKWARD_WORDS));
    case 1:
      return word(random.integer(4));
    case 2:
      return text(random.bytes(random.integer(20)));
    case 3:
      return text(Buffer.from(random.pick(['cpu.time', 'état', 'vda', '', 'a\0b', '\u{1F4A9}'])));
    case 4:
      return random.bytes(16);
    default:
      return word(random.integer(0x1_0000_0000));
  }
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function text(bytes: Buffer): Buffer {
  return Buffer.concat([word(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

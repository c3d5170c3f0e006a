import type { MatchField } from './match-field.ts';

/** A value and which of its bits count. */
export interface Masked {
  readonly value: bigint;
  readonly mask: bigint;
}

/** What a match asks for, by the name of the field; wide registers are taken apart, and the parts of a VLAN tag put together. */
export type PacketFields = ReadonlyMap<string, Masked>;

const WIDE_REGISTER = /^(x{1,2})reg(\d+)$/;
const VLAN_PRESENT = 0x1000n;

export function packetFields(match: readonly MatchField[]): PacketFields {
  const fields = new Map<string, Masked>();
  for (const { field, value, mask } of match) {
    const masked = { value, mask: mask ?? (1n << BigInt(field.bytes * 8)) - 1n };
    const wide = WIDE_REGISTER.exec(field.name);
    if (wide !== null) {
      const words = wide[1] === 'x' ? 2 : 4;
      addRegisters(fields, { first: Number(wide[2]) * words, words }, masked);
    } else if (field.name === 'vlan_vid') {
      addTag(fields, { value: masked.value & 0x1fffn, mask: masked.mask & 0x1fffn });
    } else if (field.name === 'vlan_pcp') {
      addTag(fields, { value: (value << 13n) | VLAN_PRESENT, mask: 0xe000n | VLAN_PRESENT });
    } else if (field.name === 'vlan_tci') {
      addTag(fields, masked);
    } else {
      fields.set(field.name, masked);
    }
  }
  return fields;
}

function addTag(fields: Map<string, Masked>, part: Masked): void {
  const known = fields.get('vlan_tci') ?? { value: 0n, mask: 0n };
  fields.set('vlan_tci', { value: known.value | part.value, mask: known.mask | part.mask });
}

interface RegisterRange {
  readonly first: number;
  readonly words: number;
}

/** The first register of a wide one is its upper end. */
function addRegisters(fields: Map<string, Masked>, { first, words }: RegisterRange, whole: Masked): void {
  for (let word = 0; word < words; word++) {
    const shift = BigInt(32 * (words - 1 - word));
    const mask = (whole.mask >> shift) & 0xffff_ffffn;
    if (mask !== 0n) fields.set(`reg${first + word}`, { value: (whole.value >> shift) & 0xffff_ffffn, mask });
  }
}

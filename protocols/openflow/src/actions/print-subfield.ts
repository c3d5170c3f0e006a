import type { Subfield } from '../match/field.ts';

/** `NXM_NX_REG0[]` for the whole field, `NXM_NX_REG0[4]` and `NXM_NX_REG0[0..7]` for some of its bits. */
export function printSubfield({ field, offset, bits }: Subfield): string {
  if (offset === 0 && bits === field.bits) return `${field.longName}[]`;
  return bits === 1 ? `${field.longName}[${offset}]` : `${field.longName}[${offset}..${offset + bits - 1}]`;
}

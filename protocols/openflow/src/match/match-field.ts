import type { Field } from './field.ts';

/** What a flow asks of one field of a packet, or sets it to. */
export interface MatchField {
  readonly field: Field;
  readonly value: bigint;
  /** The bits that count; undefined: all of them. */
  readonly mask: bigint | undefined;
}

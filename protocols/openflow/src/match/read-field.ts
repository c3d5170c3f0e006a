import type { Cursor } from '../wire/cursor.ts';
import { type Field, type FieldCode, fieldOf, type Subfield } from './field.ts';
import type { MatchField } from './match-field.ts';

const EXPERIMENTER_CLASS = 0xffff;

interface FieldHead {
  readonly code: FieldCode;
  readonly hasMask: boolean;
  /** Of the value, and of the mask if there is one. */
  readonly bytes: number;
}

/** Reads the head of a field alone: what an action names without a value. */
export function readFieldHead(cursor: Cursor): Field {
  const head = readHead(cursor);
  return fieldOf(head.code, head.hasMask ? head.bytes / 2 : head.bytes);
}

/** Reads a field with its value. */
export function readField(cursor: Cursor): MatchField {
  const head = readHead(cursor);
  const bytes = head.hasMask ? Math.floor(head.bytes / 2) : head.bytes;
  const field = fieldOf(head.code, bytes);
  const value = cursor.integer(bytes);
  const mask = head.hasMask ? cursor.integer(bytes) : undefined;
  return { field, value, mask };
}

/** Bits of a field in the short notation of the older actions: offset and count in 16 bits. */
export function subfieldOf(field: Field, offsetAndBits: number): Subfield {
  return { field, offset: offsetAndBits >>> 6, bits: (offsetAndBits & 0x3f) + 1 };
}

function readHead(cursor: Cursor): FieldHead {
  const fieldClass = cursor.uint16();
  const numberAndMask = cursor.uint8();
  const length = cursor.uint8();
  const isExperimenter = fieldClass === EXPERIMENTER_CLASS;
  const experimenter = isExperimenter ? cursor.uint32() : undefined;
  return {
    code: { class: fieldClass, number: numberAndMask >>> 1, experimenter },
    hasMask: (numberAndMask & 1) === 1,
    // The length counts the experimenter's own number too.
    bytes: isExperimenter ? Math.max(0, length - 4) : length,
  };
}

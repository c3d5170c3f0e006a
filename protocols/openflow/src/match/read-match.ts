import { OpenFlowError } from '../openflow-error.ts';
import { Cursor } from '../wire/cursor.ts';
import type { MatchField } from './match-field.ts';
import { readField } from './read-field.ts';

const EXTENSIBLE_MATCH = 1;
const MATCH_HEAD_BYTES = 4;

/** Reads the fields of a match, given without its padding. */
export function readMatch(bytes: Buffer): readonly MatchField[] {
  const cursor = new Cursor(bytes);
  const type = cursor.uint16();
  if (type !== EXTENSIBLE_MATCH) throw new OpenFlowError('malformed', `a match of type ${type} is not understood`);
  cursor.skip(2);
  const fields: MatchField[] = [];
  while (cursor.remaining > 0) fields.push(readField(cursor));
  return fields;
}

/** How many bytes a match takes that begins here, without padding. */
export function matchLength(bytes: Buffer, at: number): number {
  if (at + MATCH_HEAD_BYTES > bytes.length) throw new OpenFlowError('truncated', 'a flow ends before its match');
  const length = bytes.readUInt16BE(at + 2);
  if (length < MATCH_HEAD_BYTES || at + length > bytes.length) {
    throw new OpenFlowError('malformed', `a match says that it has ${length} bytes of ${bytes.length - at}`);
  }
  return length;
}

import { Cursor } from './cursor.ts';
import { ERROR_TYPES } from './error-names.ts';
import type { Message } from './message.ts';

const EXPERIMENTER_ERROR = 0xffff;

/** What a switch complains about. */
export interface ErrorReport {
  readonly type: number;
  readonly code: number;
  /** `OFPBRC_BAD_TYPE`, or the numbers where they have no name. */
  readonly name: string;
  /** What it says itself, which it does only about a version that it does not speak. */
  readonly text: string;
}

/** Reads an ERROR message. */
export function readErrorMessage(message: Message): ErrorReport {
  const cursor = new Cursor(message.body);
  const type = cursor.uint16();
  const code = cursor.uint16();
  if (type === EXPERIMENTER_ERROR) return { type, code, name: `experimenter error ${code}`, text: '' };
  const known = ERROR_TYPES.get(type);
  const name = known?.codes[code];
  return {
    type,
    code,
    name: known !== undefined && name !== undefined ? `${known.prefix}_${name}` : `error ${type}, ${code}`,
    text: type === 0 ? printable(cursor.rest()) : '',
  };
}

function printable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim();
}

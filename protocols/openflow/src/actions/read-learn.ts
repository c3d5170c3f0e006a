import type { Field, Subfield } from '../match/field.ts';
import { readFieldHead } from '../match/read-field.ts';
import { OpenFlowError } from '../openflow-error.ts';
import { Cursor } from '../wire/cursor.ts';
import type { LearnAction, LearnPart } from './action.ts';

const BODY_AT = 10;
const WRITES_RESULT = 4;
const BITS = 0x7ff;
const IMMEDIATE = 0x2000;
const KINDS: readonly (LearnPart['kind'] | undefined)[] = ['match', 'load', 'output'];

/** Reads the action that makes a flow out of a packet. The later generation adds a limit and where to put the result. */
export function readLearn(bytes: Buffer, isLater: boolean): LearnAction {
  const body = new Cursor(bytes, BODY_AT);
  const idleTimeout = body.uint16();
  const hardTimeout = body.uint16();
  const priority = body.uint16();
  const cookie = body.uint64();
  const flags = body.uint16();
  const table = body.uint8();
  const finIdleTimeout = body.skip(1).uint16();
  const finHardTimeout = body.uint16();
  const limit = isLater ? body.uint32() : 0;
  const result = isLater ? readResult(body, flags) : undefined;
  const timeouts = { idleTimeout, hardTimeout, finIdleTimeout, finHardTimeout };
  return { kind: 'learn', table, ...timeouts, priority, flags, cookie, limit, result, parts: readParts(body) };
}

function readResult(body: Cursor, flags: number): Subfield | undefined {
  const offset = body.uint16();
  body.skip(2);
  return (flags & WRITES_RESULT) === 0 ? undefined : { field: readFieldHead(body), offset, bits: 1 };
}

function readParts(body: Cursor): readonly LearnPart[] {
  const parts: LearnPart[] = [];
  while (body.remaining >= 2) {
    const head = body.uint16();
    // Zeros fill up the action.
    if (head === 0) return parts;
    parts.push(readPart(body, head));
  }
  return parts;
}

function readPart(body: Cursor, head: number): LearnPart {
  const bits = head & BITS;
  const kind = KINDS[(head >>> 11) & 3];
  if (kind === undefined) throw new OpenFlowError('malformed', 'a part of what is learned is of no known kind');
  const source = (head & IMMEDIATE) === 0 ? readSubfield(body, bits) : body.integer(2 * Math.ceil(bits / 16));
  const destination = kind === 'output' ? undefined : readSubfield(body, bits);
  return { kind, source, bits, destination };
}

function readSubfield(body: Cursor, bits: number): Subfield {
  const field: Field = readFieldHead(body);
  return { field, offset: body.uint16(), bits };
}

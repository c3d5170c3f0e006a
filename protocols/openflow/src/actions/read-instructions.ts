import { OpenFlowError } from '../openflow-error.ts';
import { Cursor } from '../wire/cursor.ts';
import type { Instruction } from './action.ts';
import { readActions } from './read-actions.ts';

const ORDER: readonly Instruction['kind'][] = [
  'meter',
  'apply-actions',
  'clear-actions',
  'write-actions',
  'write-metadata',
  'goto-table',
  'unknown',
];

/** Reads what a flow does, in the order it is done, whatever the order on the wire. */
export function readInstructions(bytes: Buffer): readonly Instruction[] {
  const cursor = new Cursor(bytes);
  const instructions: Instruction[] = [];
  while (cursor.remaining > 0) {
    const start = cursor.offset;
    cursor.skip(2);
    const length = cursor.uint16();
    if (length < 4) throw new OpenFlowError('malformed', `an instruction says that it has ${length} bytes`);
    cursor.skip(length - 4);
    instructions.push(readInstruction(bytes.subarray(start, start + length)));
  }
  return instructions.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
}

function readInstruction(bytes: Buffer): Instruction {
  const cursor = new Cursor(bytes);
  const type = cursor.uint16();
  cursor.skip(2);
  if (cursor.remaining < 4) return unknown(bytes);
  switch (type) {
    case 1:
      return { kind: 'goto-table', table: cursor.uint8() };
    case 2:
      if (bytes.length < 24) return unknown(bytes);
      return { kind: 'write-metadata', value: cursor.skip(4).uint64(), mask: cursor.uint64() };
    case 3:
      return { kind: 'write-actions', actions: readActions(cursor.skip(4).rest()) };
    case 4:
      return { kind: 'apply-actions', actions: readActions(cursor.skip(4).rest()) };
    case 5:
      return { kind: 'clear-actions' };
    case 6:
      return { kind: 'meter', meter: cursor.uint32() };
    default:
      return unknown(bytes);
  }
}

function unknown(bytes: Buffer): Instruction {
  return { kind: 'unknown', hex: bytes.toString('hex') };
}

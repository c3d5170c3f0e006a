import { isOpenFlowError, OpenFlowError } from '../openflow-error.ts';
import { narrowPort } from '../port-number.ts';
import { readField, readFieldHead } from '../match/read-field.ts';
import { Cursor } from '../wire/cursor.ts';
import type { Action } from './action.ts';
import { readNiciraAction } from './read-nicira-action.ts';

const NICIRA = 0x2320;
const OPEN_NETWORKING_FOUNDATION = 0x4f4e_4600;
const COPY_FIELD = 3200;
const EXPERIMENTER = 0xffff;

/** Open vSwitch itself nests far less; without a limit a hostile message would use up the stack. */
const DEEPEST = 64;

/** Reads a list of actions. One that is not understood, or nests too deep, is kept as its bytes. */
export function readActions(bytes: Buffer, depth = 0): readonly Action[] {
  const cursor = new Cursor(bytes);
  const actions: Action[] = [];
  // Zeros pad a list that stands inside an action: an action has 8 bytes at least.
  while (cursor.remaining >= 8) {
    const start = cursor.offset;
    cursor.skip(2);
    const length = cursor.uint16();
    if (length < 8) throw new OpenFlowError('malformed', `an action says that it has ${length} bytes`);
    cursor.skip(length - 4);
    actions.push(readAction(bytes.subarray(start, start + length), depth));
  }
  return actions;
}

function readAction(bytes: Buffer, depth: number): Action {
  if (depth > DEEPEST) return unknown(bytes);
  try {
    return readKnown(bytes, depth) ?? unknown(bytes);
  } catch (error) {
    // Shorter than the action that its number names: another one, then, and its bytes are all that can be said.
    if (isOpenFlowError(error)) return unknown(bytes);
    throw error;
  }
}

function readKnown(bytes: Buffer, depth: number): Action | undefined {
  const type = bytes.readUInt16BE(0);
  const body = new Cursor(bytes, 4);
  if (type === EXPERIMENTER) return readExperimenter(bytes, body.uint32(), depth);
  return readStandard(type, body);
}

function readExperimenter(bytes: Buffer, experimenter: number, depth: number): Action | undefined {
  const body = new Cursor(bytes, 8);
  const subtype = body.uint16();
  if (experimenter === NICIRA) return readNiciraAction(subtype, bytes, (nested) => readActions(nested, depth + 1));
  if (experimenter !== OPEN_NETWORKING_FOUNDATION || subtype !== COPY_FIELD) return undefined;
  return readCopyField(body.skip(2));
}

function readStandard(type: number, body: Cursor): Action | undefined {
  switch (type) {
    case 0:
      return { kind: 'output', port: narrowPort(body.uint32()), maxLength: body.uint16() };
    case 15:
      return other('set_mpls_ttl', `(${body.uint8()})`);
    case 16:
      return other('dec_mpls_ttl');
    case 17:
      return other('push_vlan', `:0x${body.uint16().toString(16)}`);
    case 18:
      return other('pop_vlan');
    case 19:
      return other('push_mpls', `:${etherType(body.uint16())}`);
    case 20:
      return other('pop_mpls', `:${etherType(body.uint16())}`);
    case 21:
      return other('set_queue', `:${body.uint32()}`);
    case 22:
      return { kind: 'group', group: body.uint32() };
    case 23:
      return other('mod_nw_ttl', `:${body.uint8()}`);
    case 24:
      return other('dec_ttl');
    case 25:
      return { kind: 'set-field', target: readField(body) };
    case 28:
      return readCopyField(body);
    case 29:
      return other('meter', `:${body.uint32()}`);
    default:
      return undefined;
  }
}

function readCopyField(body: Cursor): Action {
  const bits = body.uint16();
  const sourceOffset = body.uint16();
  const destinationOffset = body.uint16();
  body.skip(2);
  return {
    kind: 'move',
    source: { field: readFieldHead(body), offset: sourceOffset, bits },
    destination: { field: readFieldHead(body), offset: destinationOffset, bits },
  };
}

function etherType(value: number): string {
  return `0x${value.toString(16).padStart(4, '0')}`;
}

function other(name: string, rest = ''): Action {
  return { kind: 'other', name, text: `${name}${rest}` };
}

function unknown(bytes: Buffer): Action {
  return { kind: 'unknown', hex: bytes.toString('hex') };
}

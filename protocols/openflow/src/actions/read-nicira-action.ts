import { readField, readFieldHead, subfieldOf } from '../match/read-field.ts';
import { PORT_IN, printPort } from '../port-number.ts';
import { Cursor } from '../wire/cursor.ts';
import type { Action } from './action.ts';
import { printSubfield } from './print-subfield.ts';
import { readDecap, readEncap } from './read-encap.ts';
import { readController } from './read-controller.ts';
import { readLearn } from './read-learn.ts';
import { readNat } from './read-nat.ts';
import { readSpread } from './read-spread.ts';

/** Reads the actions that stand inside another one. */
export type ReadNested = (bytes: Buffer) => readonly Action[];

type Reader = (body: Cursor, readNested: ReadNested, bytes: Buffer) => Action;

const ALL_TABLES = 255;
const NO_RECIRCULATION = 255;
const BODY_AT = 10;

/** Open vSwitch's own actions by their number. */
const READERS: ReadonlyMap<number, Reader> = new Map<number, Reader>([
  [1, (body) => ({ kind: 'resubmit', port: inPort(body.uint16()), table: undefined, isConntrackOriginal: false })],
  [2, (body) => other('set_tunnel', `:${hex(body.skip(2).uint32())}`)],
  [4, (body) => other('set_queue', `:${body.skip(2).uint32()}`)],
  [5, () => other('pop_queue')],
  [6, readMove],
  [7, readLoad],
  [8, (body) => ({ kind: 'note', hex: body.rest().toString('hex') })],
  [9, (body) => other('set_tunnel64', `:${hex(body.skip(6).uint64())}`)],
  [10, (body) => readSpread('multipath', body)],
  [12, (body) => readSpread('bundle', body)],
  [13, (body) => readSpread('bundle_load', body)],
  [14, (body) => readResubmit(body, false)],
  [15, readOutputRegister],
  [16, (_body, _nested, bytes) => readLearn(bytes, false)],
  [17, () => other('exit')],
  [18, () => other('dec_ttl')],
  [19, readFinTimeout],
  [20, (body) => readController(body, false)],
  [21, readDecrementTtl],
  [22, readWriteMetadata],
  [27, (body) => other('push', `:${readStackField(body)}`)],
  [28, (body) => other('pop', `:${readStackField(body)}`)],
  [29, readSample],
  [32, readOutputField],
  [33, (body) => ({ kind: 'set-field', target: readField(body) })],
  [34, readConjunction],
  [35, readConntrack],
  [36, (body) => readNat(body)],
  [37, (body) => readController(body.skip(6), true)],
  [38, readSample],
  [39, (body) => other('output', `(port=${printPort(body.uint16())},max_len=${body.uint32()})`)],
  [40, (body) => ({ kind: 'group', group: body.skip(2).uint32() })],
  [41, readSample],
  [42, (body, readNested) => ({ kind: 'clone', actions: readNested(body.skip(6).rest()) })],
  [43, () => other('ct_clear')],
  [44, (body) => readResubmit(body, true)],
  [45, (_body, _nested, bytes) => readLearn(bytes, true)],
  [46, (body) => readEncap(body)],
  [47, (body) => readDecap(body)],
  [48, () => other('dec_nsh_ttl')],
  [49, readCheckPacketLarger],
  [50, (body) => other('delete_field', `:${readFieldHead(body).name}`)],
  [254, () => other('debug_slow')],
  [255, () => other('debug_recirc')],
]);

/** Reads one of Open vSwitch's own actions, or gives undefined for one that is not known. `bytes` is all of it. */
export function readNiciraAction(subtype: number, bytes: Buffer, readNested: ReadNested): Action | undefined {
  return READERS.get(subtype)?.(new Cursor(bytes, BODY_AT), readNested, bytes);
}

function readResubmit(body: Cursor, isConntrackOriginal: boolean): Action {
  const port = inPort(body.uint16());
  const table = body.uint8();
  return { kind: 'resubmit', port, table: table === ALL_TABLES ? undefined : table, isConntrackOriginal };
}

function inPort(port: number): number | undefined {
  return port === PORT_IN ? undefined : port;
}

function readMove(body: Cursor): Action {
  const bits = body.uint16();
  const sourceOffset = body.uint16();
  const destinationOffset = body.uint16();
  return {
    kind: 'move',
    source: { field: readFieldHead(body), offset: sourceOffset, bits },
    destination: { field: readFieldHead(body), offset: destinationOffset, bits },
  };
}

function readLoad(body: Cursor): Action {
  const offsetAndBits = body.uint16();
  const destination = subfieldOf(readFieldHead(body), offsetAndBits);
  return { kind: 'load', value: body.uint64(), destination };
}

function readOutputRegister(body: Cursor): Action {
  const offsetAndBits = body.uint16();
  return { kind: 'output-field', source: subfieldOf(readFieldHead(body), offsetAndBits) };
}

function readOutputField(body: Cursor): Action {
  const offsetAndBits = body.uint16();
  return { kind: 'output-field', source: subfieldOf(readFieldHead(body.skip(2)), offsetAndBits) };
}

function readFinTimeout(body: Cursor): Action {
  const idle = body.uint16();
  const hard = body.uint16();
  const parts = [idle === 0 ? '' : `idle_timeout=${idle}`, hard === 0 ? '' : `hard_timeout=${hard}`];
  return other('fin_timeout', `(${parts.filter((part) => part !== '').join(',')})`);
}

function readDecrementTtl(body: Cursor): Action {
  const count = body.uint16();
  body.skip(4);
  const controllers = Array.from({ length: Math.min(count, body.remaining / 2) }, () => body.uint16());
  return other('dec_ttl', `(${controllers.join(',')})`);
}

function readWriteMetadata(body: Cursor): Action {
  const value = body.skip(6).uint64();
  const mask = body.uint64();
  return other('write_metadata', `:${hex(value)}/${hex(mask)}`);
}

function readStackField(body: Cursor): string {
  const offset = body.uint16();
  const field = readFieldHead(body);
  return printSubfield({ field, offset, bits: body.uint16() });
}

/** Two generations of the action; the later one also names a port and a direction. */
function readSample(body: Cursor): Action {
  const head = `probability=${body.uint16()},collector_set_id=${body.uint32()}`;
  const rest = `obs_domain_id=${body.uint32()},obs_point_id=${body.uint32()}`;
  if (body.remaining < 3) return other('sample', `(${head},${rest})`);
  const port = body.uint16();
  const direction = ['', ',ingress', ',egress'][body.uint8()] ?? '';
  const where = port === 0xffff ? '' : `,sampling_port=${printPort(port)}`;
  return other('sample', `(${head},${rest}${where}${direction})`);
}

function readConjunction(body: Cursor): Action {
  const clause = body.uint8() + 1;
  const clauses = body.uint8();
  return { kind: 'conjunction', id: body.uint32(), clause, clauses };
}

function readConntrack(body: Cursor, readNested: ReadNested): Action {
  const flags = body.uint16();
  const hasZoneField = isFieldAhead(body);
  const zoneField = hasZoneField ? readFieldHead(body) : undefined;
  if (!hasZoneField) body.skip(4);
  const zone = body.uint16();
  const table = body.uint8();
  return {
    kind: 'ct',
    isCommit: (flags & 1) === 1,
    isForced: (flags & 2) === 2,
    table: table === NO_RECIRCULATION ? undefined : table,
    zone: zoneField === undefined ? zone : subfieldOf(zoneField, zone),
    application: body.skip(3).uint16(),
    actions: readNested(body.rest()),
  };
}

/** A zone that is a number has zeros where the field would be named. */
function isFieldAhead(body: Cursor): boolean {
  return body.peekUint32() !== 0;
}

function readCheckPacketLarger(body: Cursor): Action {
  const length = body.uint16();
  const offset = body.uint16();
  return { kind: 'check-packet-larger', length, destination: { field: readFieldHead(body), offset, bits: 1 } };
}

function hex(value: number | bigint): string {
  return value === 0 || value === 0n ? '0' : `0x${value.toString(16)}`;
}

function other(name: string, rest = ''): Action {
  return { kind: 'other', name, text: `${name}${rest}` };
}

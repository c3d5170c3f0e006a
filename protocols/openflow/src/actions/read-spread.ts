import { readFieldHead, subfieldOf } from '../match/read-field.ts';
import { printPort } from '../port-number.ts';
import type { Cursor } from '../wire/cursor.ts';
import type { Action } from './action.ts';
import { printSubfield } from './print-subfield.ts';

const HASHED_FIELDS = [
  'eth_src',
  'symmetric_l4',
  'symmetric_l3l4',
  'symmetric_l3l4+udp',
  'nw_src',
  'nw_dst',
  'symmetric_l3',
] as const;
const MULTIPATH_ALGORITHMS = ['modulo_n', 'hash_threshold', 'hrw', 'iter_hash'] as const;
const BUNDLE_ALGORITHMS = ['active_backup', 'hrw'] as const;
const UNKNOWN = '<unknown>';

/** Reads an action that spreads packets over several ports. */
export function readSpread(name: 'multipath' | 'bundle' | 'bundle_load', body: Cursor): Action {
  const text = name === 'multipath' ? readMultipath(body) : readBundle(name, body);
  return { kind: 'other', name, text: `${name}(${text})` };
}

function readMultipath(body: Cursor): string {
  const fields = HASHED_FIELDS[body.uint16()] ?? UNKNOWN;
  const basis = body.uint16();
  const algorithm = MULTIPATH_ALGORITHMS[body.skip(2).uint16()] ?? UNKNOWN;
  const links = body.uint16() + 1;
  const argument = body.uint32();
  const offsetAndBits = body.skip(2).uint16();
  const destination = printSubfield(subfieldOf(readFieldHead(body), offsetAndBits));
  return [fields, basis, algorithm, links, argument, destination].join(',');
}

function readBundle(name: 'bundle' | 'bundle_load', body: Cursor): string {
  const algorithm = BUNDLE_ALGORITHMS[body.uint16()] ?? UNKNOWN;
  const fields = HASHED_FIELDS[body.uint16()] ?? UNKNOWN;
  const basis = body.uint16();
  const count = body.skip(4).uint16();
  const offsetAndBits = body.uint16();
  const destination = name === 'bundle' ? [] : [printSubfield(subfieldOf(readFieldHead(body), offsetAndBits))];
  body.skip(name === 'bundle' ? 8 : 4);
  const members = Array.from({ length: Math.min(count, body.remaining / 2) }, () => printPort(body.uint16()));
  return [fields, basis, algorithm, 'ofport', ...destination, `members:${members.join(',')}`].join(',');
}

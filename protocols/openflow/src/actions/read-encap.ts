import { OpenFlowError } from '../openflow-error.ts';
import type { Cursor } from '../wire/cursor.ts';
import type { Action } from './action.ts';

const HEADERS: ReadonlyMap<number, string> = new Map([
  [0, 'ethernet'],
  [0x1_894f, 'nsh'],
  [0x1_8847, 'mpls'],
  [0x1_8848, 'mpls_mc'],
]);
const WHAT_IS_INSIDE = 0xfffe;
const NSH_CLASS = 4;
const NSH_METADATA_TYPE = 1;

/** Reads the action that puts a header in front of the packet. */
export function readEncap(body: Cursor): Action {
  const header = HEADERS.get(body.skip(2).uint32());
  if (header === undefined) throw new OpenFlowError('malformed', 'encap of a header that is not known');
  const properties = body.remaining === 0 ? '' : `(md_type=${readMetadataType(body)})`;
  return { kind: 'other', name: 'encap', text: `encap(${header}${properties})` };
}

/** Reads the action that takes the outermost header away. */
export function readDecap(body: Cursor): Action {
  const type = body.skip(2).uint32();
  const inside = type === WHAT_IS_INSIDE ? '' : `packet_type(ns=${type >>> 16},type=${hex(type & 0xffff)})`;
  return { kind: 'other', name: 'decap', text: `decap(${inside})` };
}

/** The one property that is understood; with others the action is shown as its bytes. */
function readMetadataType(body: Cursor): number {
  const isKnown = body.uint16() === NSH_CLASS && body.uint8() === NSH_METADATA_TYPE && body.uint8() === 5;
  if (!isKnown || body.remaining > 4) throw new OpenFlowError('malformed', 'encap with a property that is not known');
  return body.uint8();
}

function hex(value: number): string {
  return value === 0 ? '0' : `0x${value.toString(16)}`;
}

import { matchFieldsOf, type FlowMatchFilter } from '../match/flow-match-filter.ts';
import { encodeMatch } from '../match/write-match.ts';
import { OpenFlowError } from '../openflow-error.ts';
import { widePort } from '../port-number.ts';

export type { FlowMatchFilter } from '../match/flow-match-filter.ts';

/** Which flows are asked for; the switch does the choosing. */
export interface FlowFilter {
  readonly table?: number;
  readonly cookie?: bigint;
  /** The bits of the cookie that count; all of them unless said. */
  readonly cookieMask?: bigint;
  /** Only flows that send to this port. */
  readonly outPort?: number;
  /** Only flows that send to this group. */
  readonly outGroup?: number;
  /** Only flows that ask for at least this. */
  readonly match?: FlowMatchFilter;
}

const HEAD_BYTES = 32;
const ALL = 0xff;
const ANY = 0xffff_ffff;
const ALL_BITS = 0xffff_ffff_ffff_ffffn;

/** The body of a question about flows, or about what they count together. A filter that makes no sense is an OpenFlowError. */
export function encodeFlowRequest(filter: FlowFilter = {}): Buffer {
  const { table = ALL, outPort, outGroup = ANY, cookie } = filter;
  checkRange('table', table, ALL);
  checkRange('outPort', outPort ?? 0, ANY);
  checkRange('outGroup', outGroup, ANY);
  const mask = cookie === undefined ? 0n : (filter.cookieMask ?? ALL_BITS);
  checkCookie('cookie', cookie ?? 0n);
  checkCookie('cookieMask', mask);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(table, 0);
  head.writeUInt32BE(outPort === undefined ? ANY : widePort(outPort), 4);
  head.writeUInt32BE(outGroup, 8);
  head.writeBigUInt64BE((cookie ?? 0n) & mask, 16);
  head.writeBigUInt64BE(mask, 24);
  return Buffer.concat([head, encodeMatch(matchFieldsOf(filter.match ?? {}))]);
}

function checkRange(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return;
  throw new OpenFlowError('invalid-filter', `${name} is ${value}: give a whole number from 0 to ${max}`);
}

function checkCookie(name: string, value: bigint): void {
  if (value >= 0n && value <= ALL_BITS) return;
  throw new OpenFlowError('invalid-filter', `${name} is ${value}: give a number of 64 bits`);
}

import { OpenFlowError } from '../openflow-error.ts';
import { narrowPort } from '../port-number.ts';

/** A port as the switch describes it. */
export interface PortDescription {
  readonly port: number;
  /** 15 characters at most: longer names are cut off by the switch. */
  readonly name: string;
  readonly mac: string;
  readonly isAdministrativelyDown: boolean;
  readonly isLinkDown: boolean;
  /** In kbit/s; undefined where the switch does not know. */
  readonly speedKbps: number | undefined;
}

const OLD_ENTRY_BYTES = 64;
const ENTRY_HEAD_BYTES = 40;
const NAME_BYTES = 16;
const ETHERNET_PROPERTY = 0;
const ETHERNET_PROPERTY_BYTES = 32;

/** The body of a question about all ports. Version 1.5 wants to be told which. */
export function encodePortDescriptionRequest(version: number): Buffer {
  if (version < 6) return Buffer.alloc(0);
  const body = Buffer.alloc(8);
  body.writeUInt32BE(0xffff_ffff, 0);
  return body;
}

/** Reads the ports of one part of an answer. */
export function readPortDescriptions(version: number, body: Buffer): readonly PortDescription[] {
  const ports: PortDescription[] = [];
  let at = 0;
  while (at < body.length) {
    const length = version === 4 ? OLD_ENTRY_BYTES : entryLength(body, at);
    if (at + length > body.length) throw new OpenFlowError('truncated', 'the description of a port is cut off');
    const entry = body.subarray(at, at + length);
    ports.push(version === 4 ? readOldEntry(entry) : readEntry(entry));
    at += length;
  }
  return ports;
}

function entryLength(body: Buffer, at: number): number {
  const length = at + 6 <= body.length ? body.readUInt16BE(at + 4) : 0;
  if (length >= ENTRY_HEAD_BYTES) return length;
  throw new OpenFlowError('malformed', `the description of a port says that it has ${length} bytes`);
}

function readOldEntry(entry: Buffer): PortDescription {
  return { port: narrowPort(entry.readUInt32BE(0)), ...readHead(entry), speedKbps: speed(entry.readUInt32BE(56)) };
}

function readEntry(entry: Buffer): PortDescription {
  return { port: narrowPort(entry.readUInt32BE(0)), ...readHead(entry), speedKbps: readSpeed(entry) };
}

/** Both layouts have the address at 8, the name at 16 and the flags at 32. */
function readHead(entry: Buffer): Omit<PortDescription, 'port' | 'speedKbps'> {
  const name = entry.subarray(16, 16 + NAME_BYTES);
  const end = name.indexOf(0);
  return {
    name: name.toString('utf8', 0, end === -1 ? NAME_BYTES : end),
    mac: entry.toString('hex', 8, 14).replaceAll(/(..)(?!$)/g, '$1:'),
    isAdministrativelyDown: (entry.readUInt32BE(32) & 1) === 1,
    isLinkDown: (entry.readUInt32BE(36) & 1) === 1,
  };
}

function readSpeed(entry: Buffer): number | undefined {
  let at = ENTRY_HEAD_BYTES;
  while (at + 4 <= entry.length) {
    const length = entry.readUInt16BE(at + 2);
    if (length < 4) throw new OpenFlowError('malformed', `a property of a port says that it has ${length} bytes`);
    const isWhole = length >= ETHERNET_PROPERTY_BYTES && at + length <= entry.length;
    if (entry.readUInt16BE(at) === ETHERNET_PROPERTY && isWhole) return speed(entry.readUInt32BE(at + 24));
    at += Math.ceil(length / 8) * 8;
  }
  return undefined;
}

function speed(kbps: number): number | undefined {
  return kbps === 0 ? undefined : kbps;
}

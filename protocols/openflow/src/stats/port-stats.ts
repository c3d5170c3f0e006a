import { OpenFlowError } from '../openflow-error.ts';
import { narrowPort } from '../port-number.ts';
import { readCounter } from './counter.ts';

/** The counters of a port. One that the switch does not keep is undefined, which is not 0. */
export interface PortStats {
  readonly port: number;
  readonly receivedPackets: bigint | undefined;
  readonly sentPackets: bigint | undefined;
  readonly receivedBytes: bigint | undefined;
  readonly sentBytes: bigint | undefined;
  readonly receivedDropped: bigint | undefined;
  readonly sentDropped: bigint | undefined;
  readonly receivedErrors: bigint | undefined;
  readonly sentErrors: bigint | undefined;
  readonly durationSeconds: number;
}

const ENTRY_BYTES = 112;
/** Since 1.4 an entry begins with its length, and ends with properties that nobody needs here. */
const SMALLEST_ENTRY_BYTES = 80;

/** The body of a question about one port, or about all of them. */
export function encodePortStatsRequest(port?: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32BE(port ?? 0xffff_ffff, 0);
  return body;
}

/** Reads the ports of one part of an answer. */
export function readPortStats(version: number, body: Buffer): readonly PortStats[] {
  const ports: PortStats[] = [];
  let at = 0;
  while (at < body.length) {
    const length = version === 4 ? ENTRY_BYTES : entryLength(body, at);
    if (at + length > body.length) throw new OpenFlowError('truncated', 'the statistics of a port are cut off');
    ports.push(version === 4 ? readOldEntry(body, at) : readEntry(body, at));
    at += length;
  }
  return ports;
}

function entryLength(body: Buffer, at: number): number {
  const length = at + 2 <= body.length ? body.readUInt16BE(at) : 0;
  if (length >= SMALLEST_ENTRY_BYTES) return length;
  throw new OpenFlowError('malformed', `the statistics of a port say that they have ${length} bytes`);
}

function readOldEntry(body: Buffer, at: number): PortStats {
  return {
    port: narrowPort(body.readUInt32BE(at)),
    ...readCounters(body, at + 8),
    durationSeconds: body.readUInt32BE(at + 104),
  };
}

function readEntry(body: Buffer, at: number): PortStats {
  return {
    port: narrowPort(body.readUInt32BE(at + 4)),
    ...readCounters(body, at + 16),
    durationSeconds: body.readUInt32BE(at + 8),
  };
}

function readCounters(body: Buffer, at: number): Omit<PortStats, 'port' | 'durationSeconds'> {
  return {
    receivedPackets: readCounter(body, at),
    sentPackets: readCounter(body, at + 8),
    receivedBytes: readCounter(body, at + 16),
    sentBytes: readCounter(body, at + 24),
    receivedDropped: readCounter(body, at + 32),
    sentDropped: readCounter(body, at + 40),
    receivedErrors: readCounter(body, at + 48),
    sentErrors: readCounter(body, at + 56),
  };
}

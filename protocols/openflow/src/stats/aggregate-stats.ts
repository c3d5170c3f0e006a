import { OpenFlowError } from '../openflow-error.ts';
import { readCounter } from './counter.ts';
import { readFlowCounters } from './flow-counters.ts';

/** What a number of flows saw together. */
export interface AggregateStats {
  readonly flows: number;
  readonly packets: bigint | undefined;
  readonly bytes: bigint | undefined;
}

const BODY_BYTES = 24;

/** Reads the answer to an aggregate question. */
export function readAggregateStats(version: number, body: Buffer): AggregateStats {
  if (version >= 6) {
    const { flows, packets, bytes } = readFlowCounters(body);
    return { flows, packets, bytes };
  }
  if (body.length < BODY_BYTES)
    throw new OpenFlowError('truncated', `${body.length} bytes are no aggregate statistics`);
  return { flows: body.readUInt32BE(16), packets: readCounter(body, 0), bytes: readCounter(body, 8) };
}

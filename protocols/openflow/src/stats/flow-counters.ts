import { Cursor } from '../wire/cursor.ts';

/** The counters of a flow as version 1.5 packs them: each with its own number, in any order. */
export interface FlowCounters {
  readonly durationSeconds: number;
  readonly flows: number;
  readonly packets: bigint | undefined;
  readonly bytes: bigint | undefined;
  /** How many bytes they took, padding included. */
  readonly length: number;
}

const BASIC_CLASS = 0x8002;
const Counter = { duration: 0, flows: 3, packets: 4, bytes: 5 } as const;

/** Reads the counters that begin here. Those that are not known are passed over. */
export function readFlowCounters(bytes: Buffer): FlowCounters {
  const head = new Cursor(bytes);
  const length = head.skip(2).uint16();
  const cursor = new Cursor(head.bytes(length - 4));
  const values = new Map<number, bigint>();
  while (cursor.remaining > 0) {
    const isBasic = cursor.uint16() === BASIC_CLASS;
    const number = cursor.uint8() >>> 1;
    const value = cursor.integer(cursor.uint8());
    if (isBasic) values.set(number, value);
  }
  return {
    // Seconds stand in the upper half, nanoseconds in the lower.
    durationSeconds: Number((values.get(Counter.duration) ?? 0n) >> 32n),
    flows: Number(values.get(Counter.flows) ?? 0n),
    packets: values.get(Counter.packets),
    bytes: values.get(Counter.bytes),
    length: Math.ceil(length / 8) * 8,
  };
}

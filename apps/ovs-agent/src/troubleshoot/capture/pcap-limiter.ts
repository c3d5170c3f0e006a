import { OvsAgentError } from '../../ovs-agent-error.ts';

const HEADER_BYTES = 24;
const RECORD_BYTES = 16;
/** The magic numbers of captures with microseconds and nanoseconds, as a machine with little-endian words writes them. */
const LITTLE_ENDIAN = new Set([0xa1b2c3d4, 0xa1b23c4d]);

export interface CaptureLimits {
  readonly packets: number;
  readonly bytes: number;
  readonly snapLength: number;
}

/** Lets a capture through in whole packets, until one more would be over a limit. */
export class PcapLimiter {
  readonly #limits: CaptureLimits;
  #waiting: Buffer = Buffer.alloc(0);
  #isLittle: boolean | undefined;
  #bytes = 0;
  #packets = 0;
  #fullBy: 'packets' | 'bytes' | undefined;

  constructor(limits: CaptureLimits) {
    this.#limits = limits;
  }

  get packets(): number {
    return this.#packets;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Which limit was reached; from then on nothing more is let through. */
  get fullBy(): 'packets' | 'bytes' | undefined {
    return this.#fullBy;
  }

  /** What of the bytes so far may go on: the head of the capture, and packets that are there as a whole. */
  push(chunk: Buffer): Buffer {
    const all = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
    let end = this.#headEnd(all);
    if (end === undefined) {
      this.#waiting = all;
      return Buffer.alloc(0);
    }
    const start = this.#bytes;
    for (let next = this.#recordEnd(all, end); next !== undefined; next = this.#recordEnd(all, end)) {
      if (!this.#hasRoom(start + next)) break;
      this.#packets++;
      end = next;
      if (this.#packets === this.#limits.packets) this.#fullBy = 'packets';
    }
    this.#bytes = start + end;
    // A copy, so that a few bytes that wait do not keep a large buffer.
    this.#waiting = this.#fullBy === undefined ? Buffer.from(all.subarray(end)) : Buffer.alloc(0);
    return all.subarray(0, end);
  }

  #headEnd(all: Buffer): number | undefined {
    if (this.#isLittle !== undefined) return 0;
    if (all.length < HEADER_BYTES) return undefined;
    this.#isLittle = LITTLE_ENDIAN.has(all.readUInt32LE(0));
    if (!this.#isLittle && !LITTLE_ENDIAN.has(all.readUInt32BE(0))) {
      throw new OvsAgentError('unavailable', 'what tcpdump writes is no capture: check which program it is');
    }
    return HEADER_BYTES;
  }

  #recordEnd(all: Buffer, at: number): number | undefined {
    if (this.#fullBy !== undefined || all.length < at + RECORD_BYTES) return undefined;
    const length = this.#isLittle === true ? all.readUInt32LE(at + 8) : all.readUInt32BE(at + 8);
    if (length > this.#limits.snapLength) {
      throw new OvsAgentError(
        'unavailable',
        'what tcpdump writes is no capture: a packet is longer than was asked for',
      );
    }
    const end = at + RECORD_BYTES + length;
    return all.length < end ? undefined : end;
  }

  #hasRoom(bytes: number): boolean {
    if (bytes <= this.#limits.bytes) return true;
    this.#fullBy = 'bytes';
    return false;
  }
}

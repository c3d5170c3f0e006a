import type { Instruction } from '../actions/action.ts';
import { readInstructions } from '../actions/read-instructions.ts';
import type { Flow } from '../flow.ts';
import type { MatchField } from '../match/match-field.ts';
import { matchLength, readMatch } from '../match/read-match.ts';
import { OpenFlowError } from '../openflow-error.ts';
import { readCounter } from './counter.ts';
import { type FlowCounters, readFlowCounters } from './flow-counters.ts';

const OLD_HEAD_BYTES = 48;
const HEAD_BYTES = 24;

/** Reads the flows of one part of an answer, one by one. */
export function* readFlowStats(version: number, body: Buffer): Generator<Flow> {
  const headBytes = version >= 6 ? HEAD_BYTES : OLD_HEAD_BYTES;
  let at = 0;
  while (at < body.length) {
    const length = at + 2 <= body.length ? body.readUInt16BE(at) : 0;
    if (length < headBytes || at + length > body.length) {
      throw new OpenFlowError('malformed', `a flow says that it has ${length} bytes of ${body.length - at}`);
    }
    yield version >= 6 ? new WireFlow(body, at, at + length) : new OldWireFlow(body, at, at + length, version);
    at += length;
  }
}

/**
 * What both layouts share. Values are read where they stand when somebody asks: who looks for cookies among 50,000 flows
 * pays for cookies.
 */
abstract class FlowBytes {
  protected readonly body: Buffer;
  protected readonly at: number;
  readonly #end: number;
  #match: readonly MatchField[] | undefined;
  #instructions: readonly Instruction[] | undefined;

  constructor(body: Buffer, at: number, end: number) {
    this.body = body;
    this.at = at;
    this.#end = end;
  }

  protected abstract readonly matchAt: number;
  protected abstract readonly instructionsAt: number;

  get match(): readonly MatchField[] {
    this.#match ??= readMatch(this.body.subarray(this.matchAt, this.matchAt + this.#matchLength()));
    return this.#match;
  }

  get instructions(): readonly Instruction[] {
    this.#instructions ??= readInstructions(this.body.subarray(this.instructionsAt, this.#end));
    return this.#instructions;
  }

  /** Where the match and its padding end. */
  protected get matchEnd(): number {
    return this.matchAt + Math.ceil(this.#matchLength() / 8) * 8;
  }

  protected bytesFrom(start: number): Buffer {
    return this.body.subarray(start, this.#end);
  }

  #matchLength(): number {
    return matchLength(this.bytesFrom(this.matchAt), 0);
  }
}

/** A flow as 1.3 and 1.4 send it. */
class OldWireFlow extends FlowBytes implements Flow {
  readonly #version: number;

  constructor(body: Buffer, at: number, end: number, version: number) {
    super(body, at, end);
    this.#version = version;
  }

  get table(): number {
    return this.body.readUInt8(this.at + 2);
  }

  get durationSeconds(): number {
    return this.body.readUInt32BE(this.at + 4);
  }

  get priority(): number {
    return this.body.readUInt16BE(this.at + 12);
  }

  get idleTimeout(): number {
    return this.body.readUInt16BE(this.at + 14);
  }

  get hardTimeout(): number {
    return this.body.readUInt16BE(this.at + 16);
  }

  get flags(): number {
    return this.body.readUInt16BE(this.at + 18);
  }

  get importance(): number {
    return this.#version >= 5 ? this.body.readUInt16BE(this.at + 20) : 0;
  }

  get cookie(): bigint {
    return this.body.readBigUInt64BE(this.at + 24);
  }

  get packets(): bigint | undefined {
    return readCounter(this.body, this.at + 32);
  }

  get bytes(): bigint | undefined {
    return readCounter(this.body, this.at + 40);
  }

  protected get matchAt(): number {
    return this.at + OLD_HEAD_BYTES;
  }

  protected get instructionsAt(): number {
    return this.matchEnd;
  }
}

/** A flow as 1.5 sends it: its counters stand between match and instructions. */
class WireFlow extends FlowBytes implements Flow {
  #counters: FlowCounters | undefined;

  get table(): number {
    return this.body.readUInt8(this.at + 4);
  }

  get priority(): number {
    return this.body.readUInt16BE(this.at + 6);
  }

  get idleTimeout(): number {
    return this.body.readUInt16BE(this.at + 8);
  }

  get hardTimeout(): number {
    return this.body.readUInt16BE(this.at + 10);
  }

  get flags(): number {
    return this.body.readUInt16BE(this.at + 12);
  }

  get importance(): number {
    return this.body.readUInt16BE(this.at + 14);
  }

  get cookie(): bigint {
    return this.body.readBigUInt64BE(this.at + 16);
  }

  get durationSeconds(): number {
    return this.#readCounters().durationSeconds;
  }

  get packets(): bigint | undefined {
    return this.#readCounters().packets;
  }

  get bytes(): bigint | undefined {
    return this.#readCounters().bytes;
  }

  protected get matchAt(): number {
    return this.at + HEAD_BYTES;
  }

  protected get instructionsAt(): number {
    return this.matchEnd + this.#readCounters().length;
  }

  #readCounters(): FlowCounters {
    this.#counters ??= readFlowCounters(this.bytesFrom(this.matchEnd));
    return this.#counters;
  }
}

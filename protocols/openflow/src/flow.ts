import type { Instruction } from './actions/action.ts';
import type { MatchField } from './match/match-field.ts';

/** One flow of a table. Its values are read from the message when they are asked for: a copy by `...` has none of them. */
export interface Flow {
  readonly table: number;
  readonly priority: number;
  readonly cookie: bigint;
  readonly durationSeconds: number;
  readonly idleTimeout: number;
  readonly hardTimeout: number;
  readonly flags: number;
  readonly importance: number;
  /** Undefined: the switch does not count them. */
  readonly packets: bigint | undefined;
  readonly bytes: bigint | undefined;
  readonly match: readonly MatchField[];
  readonly instructions: readonly Instruction[];
}

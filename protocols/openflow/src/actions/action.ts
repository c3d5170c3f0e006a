import type { Subfield } from '../match/field.ts';
import type { MatchField } from '../match/match-field.ts';

/**
 * What a flow does with a packet. Ports are in the numbers of Open vSwitch, 16 bits: 65534 is the bridge's own.
 * `other` is understood but seldom needed: its text says all. `unknown` is not understood: `hex` is all of it.
 */
export type Action =
  | { readonly kind: 'output'; readonly port: number; readonly maxLength: number | undefined }
  | { readonly kind: 'output-field'; readonly source: Subfield }
  | ControllerAction
  | { readonly kind: 'group'; readonly group: number }
  | {
      readonly kind: 'resubmit';
      /** Undefined: the port it came in by. */
      readonly port: number | undefined;
      /** Undefined: the table it is in. */
      readonly table: number | undefined;
      readonly isConntrackOriginal: boolean;
    }
  | { readonly kind: 'set-field'; readonly target: MatchField }
  | { readonly kind: 'load'; readonly value: bigint; readonly destination: Subfield }
  | { readonly kind: 'move'; readonly source: Subfield; readonly destination: Subfield }
  | ConntrackAction
  | { readonly kind: 'nat'; readonly text: string }
  | { readonly kind: 'clone'; readonly actions: readonly Action[] }
  | LearnAction
  | { readonly kind: 'conjunction'; readonly id: number; readonly clause: number; readonly clauses: number }
  | { readonly kind: 'note'; readonly hex: string }
  | { readonly kind: 'check-packet-larger'; readonly length: number; readonly destination: Subfield }
  | { readonly kind: 'other'; readonly name: string; readonly text: string }
  | { readonly kind: 'unknown'; readonly hex: string };

export interface ControllerAction {
  readonly kind: 'controller';
  readonly maxLength: number;
  readonly controller: number;
  readonly reason: number;
  readonly userData: string;
  readonly isPaused: boolean;
  readonly meter: number | undefined;
}

export interface ConntrackAction {
  readonly kind: 'ct';
  readonly isCommit: boolean;
  readonly isForced: boolean;
  /** Where the packet goes on after it was tracked. */
  readonly table: number | undefined;
  readonly zone: number | Subfield;
  readonly application: number;
  readonly actions: readonly Action[];
}

export interface LearnAction {
  readonly kind: 'learn';
  readonly table: number;
  readonly idleTimeout: number;
  readonly hardTimeout: number;
  readonly finIdleTimeout: number;
  readonly finHardTimeout: number;
  readonly priority: number;
  readonly flags: number;
  readonly cookie: bigint;
  readonly limit: number;
  readonly result: Subfield | undefined;
  readonly parts: readonly LearnPart[];
}

/** One part of what is learned: what it matches, loads, or where it sends. */
export interface LearnPart {
  readonly kind: 'match' | 'load' | 'output';
  readonly source: Subfield | bigint;
  readonly bits: number;
  readonly destination: Subfield | undefined;
}

/** What a flow does, in the order it is done. */
export type Instruction =
  | { readonly kind: 'meter'; readonly meter: number }
  | { readonly kind: 'apply-actions'; readonly actions: readonly Action[] }
  | { readonly kind: 'clear-actions' }
  | { readonly kind: 'write-actions'; readonly actions: readonly Action[] }
  | { readonly kind: 'write-metadata'; readonly value: bigint; readonly mask: bigint }
  | { readonly kind: 'goto-table'; readonly table: number }
  | { readonly kind: 'unknown'; readonly hex: string };

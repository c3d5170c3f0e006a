import type { ComputeInstance, ComputeMove, MoveTarget } from '@smalt/compute';

import type { EvictionLimits } from './eviction-limits.ts';
import type { RememberedInstance } from './remembered-instance.ts';

/** How a request to move an instance was answered, as far as the process that made it remembers. */
export type MoveAnswer =
  /** The compute system said that it will. */
  | { readonly kind: 'accepted' }
  /** Nothing was done, and it is not the instance's fault. */
  | { readonly kind: 'not-done'; readonly message: string }
  /** The compute system will not do it. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It may have been done or not. */
  | { readonly kind: 'unknown'; readonly message: string };

/** All that the plan goes by: what the compute system says now, and what is remembered. */
export interface EvictionView {
  /** The name of the host as the compute system has it. */
  readonly hostName: string;
  readonly hostTraits: readonly string[];
  /** The instances on the host. */
  readonly instances: readonly ComputeInstance[];
  /** What became of those in `missingInstances`: where they are now, or undefined when they are gone. */
  readonly elsewhere: ReadonlyMap<string, ComputeInstance | undefined>;
  /** The moves away from the host, the newest of each instance first. */
  readonly moves: readonly ComputeMove[];
  readonly remembered: readonly RememberedInstance[];
  /** The ids that were left at the last look, and how many had left by then. */
  readonly outstanding: readonly string[];
  readonly moved: number;
  /** How requests of earlier looks were answered, by instance; lost in a restart. */
  readonly answers: ReadonlyMap<string, MoveAnswer>;
  /** The hosts that could take an instance, where that is known. */
  readonly targets: ReadonlyMap<string, readonly MoveTarget[]>;
  /** The moves of other evictions. */
  readonly others: OtherMoves;
  /** Whether new moves may be begun at all. */
  readonly mayStart: boolean;
  readonly limits: EvictionLimits;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface OtherMoves {
  readonly count: number;
  /** How many go to a host. */
  to(hostName: string): number;
}

/** What is to be asked of the compute system. */
export type EvictionStep =
  | { readonly kind: 'start-live'; readonly instanceId: string }
  | { readonly kind: 'start-cold'; readonly instanceId: string }
  | { readonly kind: 'confirm'; readonly instanceId: string }
  | { readonly kind: 'abort'; readonly instanceId: string; readonly move: ComputeMove };

/** Something that happened to an instance since the last look, worth telling. */
export interface EvictionHappening {
  readonly kind: 'moved' | 'gone' | 'failed' | 'non-migratable' | 'aborted';
  readonly id: string;
  readonly name: string;
  /** A sentence about it. */
  readonly message: string;
  /** How long it took, if we moved it. */
  readonly tookMs?: number;
  /** Whether it tells that a move of ours came to nothing. */
  readonly isEndOfMove?: boolean;
}

export interface EvictionCounts {
  readonly total: number;
  readonly moved: number;
  readonly moving: number;
  readonly left: number;
  readonly failed: number;
}

export interface EvictionPlan {
  readonly steps: readonly EvictionStep[];
  readonly remembered: readonly RememberedInstance[];
  /** The ids of those that are left; the last one is next. */
  readonly outstanding: readonly string[];
  readonly outstandingMemoryMiB: number;
  readonly counts: EvictionCounts;
  readonly happenings: readonly EvictionHappening[];
  /** The open moves, for which there may be progress to ask for. */
  readonly open: readonly ComputeMove[];
  /** The memory of those that wait for their turn. */
  readonly waitingMemoryMiB: number;
  /** How many moves of other evictions are under way, if instances wait for these to end; else zero. */
  readonly waitsForMoves: number;
}

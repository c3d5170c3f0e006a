import type { ComputeInstance, MoveTarget } from '@smalt/compute';
import type { RecoveryMethod } from '@smalt/recovery-policy';

import type { Incident, PowerReading } from './incident.ts';
import type { Verdict } from '../judgement/judge-fleet.ts';
import type { Judgement } from '../judgement/judgement.ts';

/** An evacuation as its record in the compute system tells it: the only thing that says how it ended. */
export interface EvacuationRecord {
  readonly id: string;
  readonly instanceId: string;
  readonly state: 'open' | 'done' | 'failed';
  readonly message: string;
  readonly targetName?: string | undefined;
}

/** A host that is kept free for such a case, as it is now. */
export interface ReservedHostFact {
  readonly name: string;
  /** Whether it is still kept free: nobody has noted that it is used. */
  readonly isReserved: boolean;
  readonly isUp: boolean;
  readonly isEnabled: boolean;
  /** Aggregates of the dead host that it is not in; empty where it need not join them. */
  readonly missingAggregates: readonly string[];
  /** Why it cannot be used: maintenance, an incident of its own, not known to the compute system. */
  readonly objection: string | undefined;
}

/** How the instances of the host find a new one; its segment says so. */
export interface RecoveryPlan {
  readonly method: RecoveryMethod;
  /** In the order in which they are to be used. */
  readonly reservedHosts: readonly ReservedHostFact[];
}

export interface LostInstance extends Pick<ComputeInstance, 'id' | 'name' | 'state' | 'stateText' | 'resources'> {
  /** Whether its owner wants it to be rebuilt. */
  readonly isRelevant: boolean;
  /** Whether the compute system can rebuild it in its state. */
  readonly canBeRebuilt: boolean;
  readonly priority: number;
}

/** An instance that was on the host and is not listed there any more. */
export interface LeftInstance extends LostInstance {
  /** What becomes of it: it runs elsewhere, it is about to, it stays off until its owner starts it, or there is none any more. */
  readonly fate: 'elsewhere' | 'coming' | 'off' | 'gone';
  /** Where it runs. */
  readonly hostName: string | undefined;
}

/** What the compute system says about the host, all of it read after `at`. */
export interface ComputeFacts {
  readonly at: number;
  readonly isForcedDown: boolean;
  readonly isEnabled: boolean;
  readonly instances: readonly LostInstance[];
  /**
   * Of a compute system that rebuilds all of them by itself as soon as the host is declared dead: what became of those that have
   * left the list. undefined for one that has to be asked for each.
   */
  readonly left?: readonly LeftInstance[] | undefined;
  /** All evacuations away from the host that are open, and those that ended lately. */
  readonly evacuations: readonly EvacuationRecord[];
  /** Hosts with room; undefined where that cannot be told. */
  readonly targets: readonly MoveTarget[] | undefined;
}

/** Why nothing is known of the host in the compute system. */
export interface ComputeGap {
  /**
   * `unreachable` passes by itself; with `identity` it is not certain which of its hosts it is, and with `refused` it may
   * not be asked: both take a person.
   */
  readonly kind: 'unreachable' | 'identity' | 'refused';
  /** A sentence for people that stays the same as long as the cause does. */
  readonly message: string;
}

/** How a request was answered, as far as the process that made it remembers. */
export type RequestAnswer =
  | { readonly kind: 'accepted' }
  /** Nothing was done, and it may be asked again. */
  | { readonly kind: 'not-done'; readonly message: string }
  /** The compute system will not do it. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It may have been done or not. */
  | { readonly kind: 'unknown'; readonly message: string };

/** What a person has said, for the audit. It counts for one host and one incident. */
export interface PersonDecision {
  /** Tells it from others, however its time is read; without one it is known by who said it and when. */
  readonly id?: string | undefined;
  readonly kind: 'host-is-off' | 'close';
  readonly host: string;
  readonly incidentId: string;
  readonly by: string;
  readonly at: number;
  readonly note: string;
}

/** All that is known when the next steps are decided. Whatever a restart has lost is simply left out. */
export interface IncidentFacts {
  readonly judgement: Judgement | undefined;
  /** What the fleet says about going on; only a host that is not fenced yet needs it. */
  readonly verdict: Verdict | undefined;
  readonly lastLifeAt: number | undefined;
  /** What the compute system shows of the last sign of life; another one is a newer one, however old it says it is. */
  readonly lifeSign?: string | undefined;
  /** Since when the host would have been seen to live if it did; undefined while it would not be. */
  readonly watchedSince: number | undefined;
  readonly isPaused: boolean;
  /** Readings that are not in the incident yet. */
  readonly readings: readonly PowerReading[];
  readonly fenceAnswer: string | undefined;
  /** The ways to power it off as they are now; they count until the first order was given. */
  readonly fenceMethods?: readonly string[] | undefined;
  /** The `askedAt` of an order to power off that is known for sure never to have been given. */
  readonly withheldFence?: number | undefined;
  readonly evacuationAnswers: ReadonlyMap<string, RequestAnswer>;
  /** How the last orders to put an instance off were answered: done, or why not. */
  readonly putOffAnswers?: ReadonlyMap<string, { readonly isDone: boolean; readonly message: string }> | undefined;
  /** undefined while nothing can be known of the host in the compute system; `computeGap` says why. */
  readonly compute: ComputeFacts | undefined;
  readonly computeGap?: ComputeGap | undefined;
  readonly decisions: readonly PersonDecision[];
  /** How the last clean-up ended; undefined when nothing was heard of it. */
  readonly cleanUpAnswer?: { readonly isDone: boolean; readonly message: string } | undefined;
  /** undefined lets the compute system choose. */
  readonly plan?: RecoveryPlan | undefined;
}

/** What is to be done now. The incident is to be saved before any of it. */
export type IncidentAction =
  | { readonly kind: 'power-off'; readonly level: number; readonly method: string }
  /** By a session that was not used before. */
  | { readonly kind: 'read-power'; readonly level: number; readonly method: string }
  /** Not where the host shows another sign of life than this one. */
  | { readonly kind: 'force-down'; readonly lifeSign?: string }
  | { readonly kind: 'disable'; readonly reason: string }
  /** Clears away what the dead host still holds in the network; may be repeated. */
  | { readonly kind: 'clean-up' }
  /** Lets a reserved host join these aggregates, then enables it; may be repeated. */
  | { readonly kind: 'prepare-reserved'; readonly host: string; readonly aggregates: readonly string[] }
  /** Notes that a reserved host is not free any more; may be repeated. */
  | { readonly kind: 'note-unreserved'; readonly host: string }
  | { readonly kind: 'evacuate'; readonly instanceId: string; readonly target?: string | undefined }
  /** Puts off what came up running though it stood still before; may be repeated. */
  | { readonly kind: 'put-off'; readonly instanceId: string };

export interface NextSteps {
  readonly incident: Incident;
  readonly actions: readonly IncidentAction[];
}

import type { ComputeInstance, MoveTarget } from '@smalt/compute';

import type { Incident, PowerReading } from './incident.ts';
import type { Verdict } from './judge-fleet.ts';
import type { Judgement } from './judgement.ts';

/** An evacuation as its record in the compute system tells it: the only thing that says how it ended. */
export interface EvacuationRecord {
  readonly id: string;
  readonly instanceId: string;
  readonly state: 'open' | 'done' | 'failed';
  readonly message: string;
}

export interface LostInstance extends Pick<ComputeInstance, 'id' | 'name' | 'state' | 'stateText' | 'resources'> {
  /** Whether its owner wants it to be rebuilt. */
  readonly isRelevant: boolean;
  readonly priority: number;
}

/** What the compute system says about the host, all of it read after `at`. */
export interface ComputeFacts {
  readonly at: number;
  readonly isForcedDown: boolean;
  readonly isEnabled: boolean;
  readonly instances: readonly LostInstance[];
  /** All evacuations away from the host that are open, and those that ended lately. */
  readonly evacuations: readonly EvacuationRecord[];
  /** Hosts with room; undefined where that cannot be told. */
  readonly targets: readonly MoveTarget[] | undefined;
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
  readonly isPaused: boolean;
  /** Readings that are not in the incident yet. */
  readonly readings: readonly PowerReading[];
  readonly fenceAnswer: string | undefined;
  readonly evacuationAnswers: ReadonlyMap<string, RequestAnswer>;
  /** undefined while the compute system cannot be reached. */
  readonly compute: ComputeFacts | undefined;
  readonly decisions: readonly PersonDecision[];
}

/** What is to be done now. The incident is to be saved before any of it. */
export type IncidentAction =
  | { readonly kind: 'power-off'; readonly level: number; readonly method: string }
  /** By a session that was not used before. */
  | { readonly kind: 'read-power'; readonly level: number; readonly method: string }
  | { readonly kind: 'force-down' }
  | { readonly kind: 'disable'; readonly reason: string }
  | { readonly kind: 'evacuate'; readonly instanceId: string };

export interface NextSteps {
  readonly incident: Incident;
  readonly actions: readonly IncidentAction[];
}

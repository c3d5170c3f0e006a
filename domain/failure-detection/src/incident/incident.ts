import type { RecoveryMethod } from '@smalt/recovery-policy';

import type { SignalSource } from '../judgement/host-signal.ts';

/** How far an incident is. The last four are ends. */
export const IncidentState = {
  /** The host is condemned; a second look has to agree before anything is done. */
  detected: 'detected',
  /** It was told to power off; its power is read until that is proved. */
  fencing: 'fencing',
  /** It is off; the compute system is told so. */
  forcingDown: 'forcing-down',
  rebuilding: 'rebuilding',
  recovered: 'recovered',
  /** It showed life before it was fenced. */
  acquitted: 'acquitted',
  /** A person has closed it. */
  closed: 'closed',
  /** Some instances could not be rebuilt: a person has to look. */
  failed: 'failed',
} as const;
export type IncidentState = (typeof IncidentState)[keyof typeof IncidentState];

/** One order to power off. It is written down before it is given. */
export interface FenceAttempt {
  /** The place of its method in `fenceMethods`. */
  readonly level: number;
  readonly askedAt: number;
  readonly answer: string | undefined;
}

export interface PowerReading {
  readonly level: number;
  readonly at: number;
  /** Names the session; a session that was used before proves nothing new. */
  readonly session: string;
  readonly power: 'on' | 'off' | 'unknown';
  /** Who was asked, as a text: its level may name another device after the settings were changed. */
  readonly method?: string | undefined;
  /** Whether it stands for an answer that nobody has heard, and so says nothing at all. */
  readonly isLost?: boolean | undefined;
  readonly message?: string;
}

/** Why the host is known to be off. `since` is the moment after which any sign of life contradicts it. */
export type OffProof =
  | { readonly kind: 'readings'; readonly since: number; readonly readings: readonly PowerReading[] }
  | { readonly kind: 'person'; readonly since: number; readonly by: string; readonly note: string };

export const RebuildState = {
  pending: 'pending',
  /** An evacuation was asked for, or is about to be: its record tells what became of it. */
  asked: 'asked',
  rebuilt: 'rebuilt',
  /** It is not on the host any more, and not by us. */
  gone: 'gone',
  skipped: 'skipped',
  failed: 'failed',
} as const;
export type RebuildState = (typeof RebuildState)[keyof typeof RebuildState];

/** What became of one instance. */
export interface RebuildRecord {
  readonly id: string;
  readonly name: string;
  /** Higher ones come first. */
  readonly priority: number;
  readonly state: RebuildState;
  /** Evacuations that were begun for it, by whomever, with the one that is under way. */
  readonly attempts: number;
  /** Requests for the attempt that is under way; one may never arrive. */
  readonly asks: number;
  readonly askedAt: number | undefined;
  readonly evacuationId: string | undefined;
  /** The host that was asked for, or the one that its record names. */
  readonly target: string | undefined;
  /** Where it was asked to go; undefined where the compute system chooses, whatever it has chosen. */
  readonly askedTarget?: string | undefined;
  /** The evacuations of it that have failed. */
  readonly pastEvacuations: readonly string[];
  /** The hosts that were asked for in vain, and how often none was named. */
  readonly failedTargets: readonly string[];
  readonly failuresElsewhere: number;
  /** When the list was read that showed the last failure; only a later one may lead to the next request. */
  readonly retryAfter: number | undefined;
  /** Since when it is waited for that its state passes in which it cannot be rebuilt; undefined while it is in no such one. */
  readonly passesSince?: number | undefined;
  /** When the first evacuation was asked for, and when all was over. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** Whether it stood still when it was first seen: then it shall do so on its new host too. */
  readonly wasOff?: boolean | undefined;
  /** The order to put it off again, which is asked for where its compute system has forgotten that. */
  readonly putOff?: PutOff | undefined;
  readonly message: string;
}

/** An order to put an instance off that came up running though it stood still before. It may be repeated. */
export interface PutOff {
  readonly state: 'open' | 'done' | 'given-up';
  readonly asks: number;
  readonly askedAt: number | undefined;
}

/** A host that was kept free and stands in for the dead one. It is written down before it is touched. */
export interface ReservedHostUse {
  readonly host: string;
  readonly state: 'preparing' | 'ready' | 'failed';
  readonly since: number;
  readonly askedAt: number | undefined;
  readonly message: string;
}

/** Clearing away what the dead host still holds, such as its chassis in the network. */
export interface CleanUp {
  readonly state: 'open' | 'done' | 'given-up';
  readonly since: number;
  readonly askedAt: number | undefined;
  readonly tries: number;
  readonly message: string;
}

/** A person's word that the host is off, and when it was first heard: whoever said it may have another clock. */
export interface HeardWord {
  /** Of the decision, where it has one. */
  readonly id?: string | undefined;
  readonly by: string;
  readonly note: string;
  readonly saidAt: number;
  readonly at: number;
  /** Whether another run has heard it: how long ago that was is not known. */
  readonly isOfAnotherRun?: true | undefined;
}

/** What tells the last sign of life at the compute system from the next, and when it was first seen. */
interface SeenLifeSign {
  readonly text: string;
  readonly seenAt: number;
}

/** Why nothing happens now. */
export const WaitReason = {
  brake: 'brake',
  agreement: 'agreement',
  paused: 'paused',
  proof: 'proof',
  noFenceMethod: 'no-fence-method',
  noProof: 'no-proof',
  aliveAfterFence: 'alive-after-fence',
  contradiction: 'contradiction',
  staleProof: 'stale-proof',
  computeUnreachable: 'compute-unreachable',
  computeIdentity: 'compute-identity',
  computeRefused: 'compute-refused',
  forceDown: 'force-down',
  cleanUp: 'clean-up',
  reservedHost: 'reserved-host',
  noReservedHost: 'no-reserved-host',
  noRoom: 'no-room',
  evacuations: 'evacuations',
  overdue: 'overdue',
  putOff: 'put-off',
} as const;
export type WaitReason = (typeof WaitReason)[keyof typeof WaitReason];

export interface IncidentWait {
  readonly reason: WaitReason;
  readonly message: string;
  /** Whether it goes on only after a person has done something. */
  readonly needsPerson: boolean;
}

/** Everything about one failure of one host. It is all that outlives a restart. */
export interface Incident {
  readonly id: string;
  readonly host: string;
  /** The boot that failed, if it is known. */
  readonly bootId: string | undefined;
  readonly state: IncidentState;
  /** Goes up with every change; whoever saves an older one than is stored has lost the lead. */
  readonly revision: number;
  readonly openedAt: number;
  readonly closedAt: number | undefined;
  readonly condemnedBy: readonly SignalSource[];
  /** Ways to power it off, the best first. */
  readonly fenceMethods: readonly string[];
  readonly fences: readonly FenceAttempt[];
  /** The newest readings since the first fence. */
  readonly readings: readonly PowerReading[];
  readonly readAskedAt: number | undefined;
  readonly lastLifeAt: number | undefined;
  /** Undefined where the compute system tells none. */
  readonly lifeSign?: SeenLifeSign | undefined;
  readonly proof: OffProof | undefined;
  /** What persons have said; undefined until somebody has. */
  readonly words?: readonly HeardWord[] | undefined;
  /** Since when the run that leads now has had it; nothing that was read before is fresh. */
  readonly adoptedAt?: number | undefined;
  /** Whether it took instances before it failed; undefined until the compute system was asked. */
  readonly wasEnabled?: boolean | undefined;
  /**
   * Of one that a person has closed: whether the compute system was seen to have taken its host for dead. Undefined where an earlier
   * version closed it: then it surely was if there is a `method`.
   */
  readonly isDeclaredDead?: boolean | undefined;
  readonly cleanUp?: CleanUp | undefined;
  /** How its instances find a new host; undefined until the first is asked for. */
  readonly method?: RecoveryMethod | undefined;
  /** The hosts that stand in for it, in the order in which they were taken. */
  readonly reserved?: readonly ReservedHostUse[] | undefined;
  /** Evacuations that were over before we began; undefined until we begin, which may be before the host is declared dead. */
  readonly oldEvacuations: readonly string[] | undefined;
  readonly instances: readonly RebuildRecord[];
  readonly wait: IncidentWait | undefined;
  /** Nothing was left to be rebuilt before anything was done about the host; undefined for all others. */
  readonly isNeedless?: true | undefined;
  /** The end in a sentence. */
  readonly outcome: string | undefined;
}

export interface NewIncident {
  readonly id: string;
  readonly host: string;
  readonly bootId: string | undefined;
  readonly condemnedBy: readonly SignalSource[];
  readonly fenceMethods: readonly string[];
}

/** The incident as it is stored first, before anything is done. */
export function openIncident(incident: NewIncident, now: number): Incident {
  return {
    ...incident,
    state: IncidentState.detected,
    revision: 1,
    openedAt: now,
    closedAt: undefined,
    fences: [],
    readings: [],
    readAskedAt: undefined,
    lastLifeAt: undefined,
    proof: undefined,
    oldEvacuations: undefined,
    instances: [],
    wait: undefined,
    outcome: undefined,
  };
}

export function isOver({ state }: Pick<Incident, 'state'>): boolean {
  switch (state) {
    case 'recovered':
    case 'acquitted':
    case 'closed':
    case 'failed':
      return true;
    case 'detected':
    case 'fencing':
    case 'forcing-down':
    case 'rebuilding':
      return false;
  }
}

/** Whether the host is kept from use when the incident is over. Not where nothing was done to it and nobody asked for it. */
export function holdsHost(incident: Pick<Incident, 'state' | 'isNeedless'>): boolean {
  return isOver(incident) && incident.state !== 'acquitted' && incident.isNeedless !== true;
}

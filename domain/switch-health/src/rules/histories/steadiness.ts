import type { Severity } from '../finding.ts';

/** What is wrong now with something that may come and go, such as a bond. */
export interface Fault {
  readonly severity: Severity;
  /** How it is, in one word: `degraded`, `down`. */
  readonly word: string;
  readonly troubles: string;
}

/** How one bond or network card has done of late. */
export interface Steadiness {
  /** Since when it is there, or since when ovs-vswitchd is another one: what is wrong need not count at once. */
  readonly settlesFrom: number;
  readonly isWell: boolean;
  /** Since when it is as it is. */
  readonly since: number;
  /** What is told of it: the fault that there is, or that has not been away for long enough. */
  readonly told: Fault | undefined;
  /** How often it has failed again before it was trusted. */
  readonly relapses: number;
}

export interface SteadinessSettings {
  /** How long something new may take to get going. */
  readonly settleMs: number;
  /** How long it must be well before it is trusted; twice as long with each relapse, up to a limit. */
  readonly recoveryMs: number;
  readonly longestRecoveryMs: number;
}

/** One look. `unseen` where nobody can tell how it does. */
export interface SteadinessLook {
  readonly at: number;
  readonly fault: Fault | 'unseen' | undefined;
  /** When ovs-vswitchd was seen to be another one than before. */
  readonly restartedAt: number | undefined;
}

/** Adds a look. A fault is told at once unless it is new, and goes when all has been well for long enough. */
export function advanceSteadiness(
  old: Steadiness | undefined,
  { at, fault, restartedAt }: SteadinessLook,
  settings: SteadinessSettings,
): Steadiness {
  const settlesFrom = Math.max(old?.settlesFrom ?? at, restartedAt ?? 0);
  const before = { ...(old ?? { isWell: true, since: at, told: undefined, relapses: 0 }), settlesFrom };
  // What was well while nobody looked has not been seen to hold.
  if (fault === 'unseen') return before.isWell ? { ...before, since: at } : before;
  if (fault !== undefined) return failing(before, fault, { at, settings });
  const since = before.isWell ? before.since : at;
  const isTrusted = at - since >= recoveryMs(before, settings);
  const { told, relapses } = isTrusted ? { told: undefined, relapses: 0 } : before;
  return { settlesFrom, isWell: true, since, told, relapses };
}

/** When what is told of it may change though nothing happens. */
export function nextChange(each: Steadiness, settings: SteadinessSettings): number | undefined {
  return each.isWell && each.told !== undefined ? each.since + recoveryMs(each, settings) : undefined;
}

/** Whether it has failed again and again, so that nobody can tell how it will be in a moment. */
export function isComingAndGoing(each: Steadiness, at: number, settings: SteadinessSettings): boolean {
  return each.relapses > 0 && (each.isWell || at - each.since < recoveryMs(each, settings));
}

function failing(
  before: Steadiness,
  fault: Fault,
  { at, settings }: { readonly at: number; readonly settings: SteadinessSettings },
): Steadiness {
  const { settlesFrom, told } = before;
  const since = before.isWell ? at : before.since;
  if (told === undefined) {
    const isSettling = at - settlesFrom < settings.settleMs;
    return { settlesFrom, isWell: false, since, told: isSettling ? undefined : fault, relapses: 0 };
  }
  const relapses = before.relapses + (before.isWell ? 1 : 0);
  const next = { settlesFrom, isWell: false, since, relapses };
  return { ...next, told: isComingAndGoing({ ...next, told }, at, settings) ? worse(told, fault) : fault };
}

// One that is down and degraded by turns would be another issue with every look.
function worse(told: Fault, fault: Fault): Fault {
  return told.severity === 'Critical' ? { ...fault, severity: told.severity, word: told.word } : fault;
}

function recoveryMs({ relapses }: Steadiness, settings: SteadinessSettings): number {
  return Math.min(settings.recoveryMs * 2 ** relapses, settings.longestRecoveryMs);
}

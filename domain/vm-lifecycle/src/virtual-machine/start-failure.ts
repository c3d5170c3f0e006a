import {
  isFinalPhase,
  RunStrategy,
  VirtualMachineInstancePhase,
  type VirtualMachineInstance,
  type VirtualMachineStartFailure,
} from '@smalt/vm-api';

import { readTime, timeText } from '../conditions/conditions.ts';

const MAX_DELAY_SECONDS = 300;
const LEAST_INTERVAL_SECONDS = 10;

/** How long to wait after so many failures in a row. `random` is from 0 up to 1 and keeps machines from starting at once. */
export function startDelaySeconds(failCount: number, random: number): number {
  const interval = Math.max(LEAST_INTERVAL_SECONDS, Math.floor(MAX_DELAY_SECONDS / 30));
  const delay = interval * Math.max(1, failCount) ** 2;
  return Math.min(MAX_DELAY_SECONDS, delay + Math.floor(random * (Math.floor(delay / 2) + 1)));
}

const RESTARTING: readonly (RunStrategy | undefined)[] = [
  RunStrategy.always,
  RunStrategy.rerunOnFailure,
  RunStrategy.once,
];

/** Whether failures to start are counted under this strategy. */
export function countsFailures(strategy: RunStrategy | undefined): boolean {
  return RESTARTING.includes(strategy);
}

export interface StartFailureFacts {
  readonly known: VirtualMachineStartFailure | null | undefined;
  readonly vmi: VirtualMachineInstance | undefined;
  readonly strategy: RunStrategy | undefined;
  readonly now: number;
  readonly random: number;
}

/** Counts an instance that ended without ever running, once; forgets all failures when one has run. */
export function judgeStartFailure(facts: StartFailureFacts): VirtualMachineStartFailure | undefined {
  const { known, vmi, strategy, now, random } = facts;
  if (!countsFailures(strategy) || (vmi !== undefined && hasRun(vmi))) return undefined;
  const before = known ?? undefined;
  if (vmi === undefined || !isFinalPhase(vmi.status?.phase) || before?.lastFailedVMIUID === vmi.metadata.uid) {
    return before;
  }
  const consecutiveFailCount = (before?.consecutiveFailCount ?? 0) + 1;
  return {
    consecutiveFailCount,
    ...(vmi.metadata.uid === undefined ? {} : { lastFailedVMIUID: vmi.metadata.uid }),
    retryAfterTimestamp: timeText(now + startDelaySeconds(consecutiveFailCount, random) * 1000),
  };
}

/**
 * How long the next start has to wait yet. No delay is longer than the largest one: what says so was written before the clock was
 * set back, and to wait for that time could take hours.
 */
export function startDelayLeftMs(failure: VirtualMachineStartFailure | null | undefined, now: number): number {
  const retryAt = readTime(failure?.retryAfterTimestamp);
  const leftMs = retryAt === undefined ? 0 : Math.max(0, retryAt - now);
  return leftMs > MAX_DELAY_SECONDS * 1000 ? 0 : leftMs;
}

function hasRun({ status }: VirtualMachineInstance): boolean {
  return (status?.phaseTransitionTimestamps ?? []).some(({ phase }) => phase === VirtualMachineInstancePhase.running);
}

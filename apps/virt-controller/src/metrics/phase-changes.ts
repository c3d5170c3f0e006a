import type { VirtualMachineInstance } from '@smalt/vm-api';

/** How an instance came into a phase. */
export interface PhaseChange {
  readonly phase: string;
  readonly lastPhase: string;
  readonly sinceCreationSeconds: number;
  readonly sinceLastSeconds: number | undefined;
  readonly sinceDeletionSeconds: number | undefined;
}

/** The change of phase between what was known and what is, if there is one. The moment is now: times in objects are coarse. */
export function phaseChanges(
  old: VirtualMachineInstance | undefined,
  current: VirtualMachineInstance | undefined,
  now: number,
): readonly PhaseChange[] {
  const phase = current?.status?.phase ?? '';
  const lastPhase = old?.status?.phase ?? '';
  // What is seen for the first time was in its phase before: after a start of the controller nothing is known of that.
  if (old === undefined || current === undefined || phase === '' || phase === lastPhase) return [];
  const created = Date.parse(current.metadata.creationTimestamp ?? '');
  if (Number.isNaN(created)) return [];
  const lastAt = Date.parse(
    current.status?.phaseTransitionTimestamps?.findLast(({ phase: each }) => each === lastPhase)
      ?.phaseTransitionTimestamp ?? '',
  );
  const deleted = Date.parse(current.metadata.deletionTimestamp ?? '');
  return [
    {
      phase,
      lastPhase,
      sinceCreationSeconds: secondsSince(created, now),
      sinceLastSeconds: Number.isNaN(lastAt) ? undefined : secondsSince(lastAt, now),
      sinceDeletionSeconds: Number.isNaN(deleted) ? undefined : secondsSince(deleted, now),
    },
  ];
}

function secondsSince(time: number, now: number): number {
  return Math.max(0, now - time) / 1000;
}

import type { GapReason, MissedReason, TelemetryBatch, TelemetryRecord } from '@smalt/ha-telemetry';

/** Why something is missing. `unexplained`: numbers were left out, and nothing says why; another store may have them. */
export type LossReason = GapReason | MissedReason | 'unexplained';

/** Every reason, for counters. */
export const lossReasons: readonly LossReason[] = [
  'queue-full',
  'refused',
  'unsaved',
  'damaged',
  'agent-started',
  'libvirt-lost',
  'too-many',
  'unexplained',
];

/** What is missing in one batch for one reason. */
export interface TelemetryLoss {
  readonly host: string;
  readonly reason: LossReason;
  /** How many numbers will never come, or how often events may have been missed. */
  readonly count: number;
  /** The last number that is concerned. */
  readonly through: number;
}

/** What a batch says, or shows, to be missing after the numbers that are stored; once for each reason. */
export function findLosses(
  { node: host, firstSequence }: Pick<TelemetryBatch, 'node' | 'firstSequence'>,
  fresh: readonly TelemetryRecord[],
  known: number,
): readonly TelemetryLoss[] {
  const losses = new Map<LossReason, TelemetryLoss>();
  const add = (reason: LossReason, count: number, through: number): void => {
    losses.set(reason, { host, reason, count: (losses.get(reason)?.count ?? 0) + count, through });
  };
  if (firstSequence > known + 1) add('unexplained', firstSequence - known - 1, firstSequence - 1);
  for (const record of fresh) {
    if (record.kind === 'missed') add(record.reason, 1, record.sequence);
    if (record.kind !== 'gap') continue;
    const first = Math.max(record.firstSequence, known + 1);
    add(record.reason, record.sequence - first + 1, record.sequence);
  }
  return [...losses.values()];
}

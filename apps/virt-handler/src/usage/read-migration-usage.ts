import { DomainJobType, type DomainJobStatsParameters } from '@smalt/libvirt';
import { MigrationMode, type MigrationUsage, type VirtualMachineInstance } from '@smalt/vm-api';

const MODES: Readonly<Record<string, MigrationUsage['mode']>> = {
  [MigrationMode.postCopy]: 'PostCopy',
  [MigrationMode.paused]: 'Paused',
};

/** What libvirt answers about the job of a guest. */
export interface JobStatistics {
  readonly type: number;
  readonly params: Partial<DomainJobStatsParameters>;
}

/** Puts the job of a guest into the words of a migration; undefined while there is none that sends anything. */
export function readMigrationUsage(
  { type, params }: JobStatistics,
  { status }: VirtualMachineInstance,
): MigrationUsage | undefined {
  const isUnderWay = type === DomainJobType.bounded || type === DomainJobType.unbounded;
  if (!isUnderWay || (params.data_total ?? 0n) === 0n) return undefined;
  return {
    mode: MODES[status?.migrationState?.mode ?? ''] ?? 'PreCopy',
    totalBytes: Number(params.data_total),
    processedBytes: Number(params.data_processed ?? 0n),
    remainingBytes: Number(params.data_remaining ?? 0n),
    bytesPerSecond: Number(params.memory_bps ?? 0n) + Number(params.disk_bps ?? 0n),
    dirtyBytesPerSecond: Number(params.memory_dirty_rate ?? 0n) * Number(params.memory_page_size ?? 0n),
    ...(params.downtime === undefined ? {} : { downtimeMs: Number(params.downtime) }),
    elapsedMs: Number(params.time_elapsed ?? 0n),
    iteration: Number(params.memory_iteration ?? 0n),
    throttlePercent: params.auto_converge_throttle ?? 0,
  };
}

/** Whether a guest is on its way from here: only then its job is asked for. */
export function isLeaving({ status }: VirtualMachineInstance, nodeName: string): boolean {
  const { sourceNode, startTimestamp, endTimestamp, completed } = status?.migrationState ?? {};
  const hasBegun = typeof startTimestamp === 'string';
  return sourceNode === nodeName && hasBegun && typeof endTimestamp !== 'string' && completed !== true;
}

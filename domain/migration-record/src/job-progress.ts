import type { MigrationStatus } from '@smalt/fleet-api';

import { formatBytes } from './format-bytes.ts';
import { formatGoDuration } from './go-duration.ts';
import { operationWord, type JobOperation } from './job-words.ts';

/** The statistics of a job as libvirt sends them: numbers, some of them bigint. Any field may be missing. */
export type JobStats = Readonly<Record<string, unknown>>;

/** The fields of a Migration that tell how far it is, without who, when and how it ended. */
export type ProgressFields = Omit<
  MigrationStatus,
  'started' | 'origin' | 'destination' | 'type' | 'errMsg' | 'operation'
>;

type Outlook = 'timeRemaining' | 'downtime' | 'dataRemaining' | 'memRemaining' | 'diskRemaining';

type Format = (amount: number) => string | number;

const FIELDS: readonly (readonly [stat: string, field: keyof ProgressFields, format: Format])[] = [
  ['time_elapsed', 'timeElapsed', formatGoDuration],
  ['time_remaining', 'timeRemaining', formatGoDuration],
  ['downtime', 'downtime', formatGoDuration],
  ['setup_time', 'setupTime', formatGoDuration],
  ['data_total', 'dataTotal', formatBytes],
  ['data_processed', 'dataProcessed', formatBytes],
  ['data_remaining', 'dataRemaining', formatBytes],
  ['memory_total', 'memTotal', formatBytes],
  ['memory_processed', 'memProcessed', formatBytes],
  ['memory_remaining', 'memRemaining', formatBytes],
  ['memory_bps', 'memBps', perSecond(formatBytes)],
  ['memory_constant', 'memConstant', count],
  ['memory_normal', 'memNormal', count],
  ['memory_normal_bytes', 'memNormalBytes', formatBytes],
  ['memory_dirty_rate', 'memDirtyRate', perSecond(String)],
  ['memory_page_size', 'memPageSize', formatBytes],
  ['memory_iteration', 'memIteration', count],
  ['memory_postcopy_requests', 'memPostcopyRequests', count],
  ['disk_total', 'diskTotal', formatBytes],
  ['disk_processed', 'diskProcessed', formatBytes],
  ['disk_remaining', 'diskRemaining', formatBytes],
  ['disk_bps', 'diskBps', perSecond(formatBytes)],
  ['auto_converge_throttle', 'autoConvergeThrottle', (percent) => `${percent}%`],
];

/** The statistics of a job in the words of a Migration. What is missing or makes no sense is left out. */
export function progressFields(stats: JobStats): ProgressFields {
  const fields: Record<string, string | number> = {};
  for (const [stat, field, format] of FIELDS) {
    const amount = readAmount(stats, stat);
    if (amount !== undefined) fields[field] = format(amount);
  }
  return fields;
}

/**
 * What is known of the progress after one more look. libvirt still calls a job active when QEMU has dropped it, and what
 * it sent is then of no size: such a look tells how long it took, and leaves the figures that were seen last.
 */
export function laterProgress(known: ProgressFields, stats: JobStats): ProgressFields {
  const seen = progressFields(stats);
  if (!isEmptied(known, stats)) return seen;
  const { timeElapsed, downtime, setupTime } = seen;
  return {
    ...known,
    ...(timeElapsed !== undefined && { timeElapsed }),
    ...(downtime !== undefined && { downtime }),
    ...(setupTime !== undefined && { setupTime }),
  };
}

/**
 * What a success leaves of figures that were seen before its end. What was still ahead then is no longer, and how long
 * the guest would stand still was no more than expected.
 */
export function withoutOutlook<Fields extends ProgressFields>(fields: Fields): Omit<Fields, Outlook> {
  const {
    timeRemaining: _timeRemaining,
    downtime: _downtime,
    dataRemaining: _dataRemaining,
    memRemaining: _memRemaining,
    diskRemaining: _diskRemaining,
    ...others
  } = fields;
  return others;
}

/** Whether a memory that had a size has none any more, or disks while there was nothing else to send. */
export function isEmptied({ memTotal, diskTotal }: ProgressFields, stats: JobStats): boolean {
  if (hasSize(stats, 'memory_total')) return false;
  return hadSize(memTotal) || (hadSize(diskTotal) && !hasSize(stats, 'disk_total'));
}

const NOTHING = formatBytes(0);

/** A number among the statistics. Nothing if it is missing, negative or beyond what is exact. */
export function readAmount(stats: JobStats, stat: string): number | undefined {
  const value = stats[stat];
  const amount = typeof value === 'bigint' ? Number(value) : value;
  // When the clock is set back, libvirt computes times below zero, and sends them as numbers close to 2^64.
  return typeof amount === 'number' && amount >= 0 && amount <= Number.MAX_SAFE_INTEGER ? amount : undefined;
}

/** What the job does. Nothing if the driver does not say: that of Cloud Hypervisor does not. */
export function readOperation(stats: JobStats): JobOperation | undefined {
  const operation = readAmount(stats, 'operation');
  return operation === undefined ? undefined : operationWord(operation);
}

/** Whether the statistics say themselves that the job failed. */
export function saysFailure(stats: JobStats): boolean {
  return stats['success'] === false || stats['success'] === 0;
}

/** Why the job failed, if libvirt says so. */
export function readErrorText(stats: JobStats): string | undefined {
  const text = stats['errmsg'];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function hadSize(total: string | undefined): boolean {
  return total !== undefined && total !== NOTHING;
}

function hasSize(stats: JobStats, total: string): boolean {
  return (readAmount(stats, total) ?? 0) > 0;
}

function perSecond(format: (amount: number) => string): Format {
  return (amount) => `${format(amount)}/s`;
}

function count(amount: number): number {
  return amount;
}

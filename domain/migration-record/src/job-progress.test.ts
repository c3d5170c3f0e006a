import { expect, it } from 'vitest';

import { laterProgress, progressFields, readErrorText, readOperation, saysFailure } from './job-progress.ts';

it('tells every figure of libvirt in the words of a Migration', () => {
  const stats = {
    operation: 5,
    time_elapsed: 2755n,
    time_remaining: 65_000n,
    downtime: 79n,
    setup_time: 1n,
    data_total: 4_294_967_296n,
    data_processed: 10_905_190n,
    data_remaining: 0n,
    memory_total: 134_750_208n,
    memory_processed: 93_406_564n,
    memory_remaining: 1024n,
    memory_bps: 17_301_504n,
    memory_constant: 10_401n,
    memory_normal: 22_737n,
    memory_normal_bytes: 93_130_752n,
    memory_dirty_rate: 1250n,
    memory_page_size: 4096n,
    memory_iteration: 3n,
    memory_postcopy_requests: 7n,
    disk_total: 2048n,
    disk_processed: 1024n,
    disk_remaining: 1024n,
    disk_bps: 512n,
    auto_converge_throttle: 20,
    newer_than_us: 'ignored',
  };

  expect(progressFields(stats)).toEqual({
    timeElapsed: '2.755s',
    timeRemaining: '1m5s',
    downtime: '79ms',
    setupTime: '1ms',
    dataTotal: '4.0 GiB',
    dataProcessed: '10.4 MiB',
    dataRemaining: '0 B',
    memTotal: '128.5 MiB',
    memProcessed: '89.1 MiB',
    memRemaining: '1.0 KiB',
    memBps: '16.5 MiB/s',
    memConstant: 10_401,
    memNormal: 22_737,
    memNormalBytes: '88.8 MiB',
    memDirtyRate: '1250/s',
    memPageSize: '4.0 KiB',
    memIteration: 3,
    memPostcopyRequests: 7,
    diskTotal: '2.0 KiB',
    diskProcessed: '1.0 KiB',
    diskRemaining: '1.0 KiB',
    diskBps: '512 B/s',
    autoConvergeThrottle: '20%',
  });
});

it('leaves out what is missing, of another type, or wrapped around by a clock that was set back', () => {
  const stats = { time_elapsed: 18_446_744_073_709_551_000n, downtime: -1n, data_total: 'much', memory_iteration: 2 };

  expect(progressFields(stats)).toEqual({ memIteration: 2 });
});

const sent = { time_elapsed: 900n, memory_total: 4096n, memory_processed: 1024n, memory_bps: 512n, disk_total: 0n };
const copied = { time_elapsed: 900n, memory_total: 0n, disk_total: 4096n, disk_processed: 1024n };
// What libvirt 9.0 tells for some milliseconds after a job was aborted, and before it was set up.
const emptied = { time_elapsed: 1000n, memory_total: 0n, memory_processed: 0n, disk_total: 0n, disk_processed: 0n };

it.each([
  { what: 'goes on', before: sent, stats: { ...sent, time_elapsed: 1000n, memory_processed: 2048n }, kept: {} },
  { what: 'is not set up yet', before: emptied, stats: emptied, kept: {} },
  { what: 'tells of its memory no more', before: sent, stats: emptied, kept: sent },
  { what: 'tells nothing of its memory', before: sent, stats: { time_elapsed: 1000n, downtime: 7n }, kept: sent },
  { what: 'tells of its memory no more, but of its disks', before: sent, stats: copied, kept: sent },
  { what: 'tells of its disks no more', before: copied, stats: emptied, kept: copied },
  { what: 'has copied its disks and sends its memory', before: copied, stats: sent, kept: {} },
])('keeps what was seen of the progress of a job that $what', ({ before, stats, kept }) => {
  const isKept = Object.keys(kept).length > 0;
  const { timeElapsed, downtime } = progressFields(stats);
  const times = { timeElapsed, ...(downtime !== undefined && { downtime }) };

  const later = laterProgress(progressFields(before), stats);

  expect(later).toEqual(isKept ? { ...progressFields(kept), ...times } : progressFields(stats));
});

it.each([
  [{ operation: 5 }, 'migration_out'],
  [{ operation: 4n }, 'migration_in'],
  [{ operation: 99 }, 'unknown'],
  [{}, undefined],
])('reads the operation of %o', (stats, word) => {
  expect(readOperation(stats)).toBe(word);
});

it.each([
  [{ success: false, errmsg: 'no space' }, true, 'no space'],
  [{ success: 0, errmsg: '' }, true, undefined],
  [{ success: true }, false, undefined],
  [{}, false, undefined],
])('knows of %j whether it failed and why', (stats, hasFailed, text) => {
  expect(saysFailure(stats)).toBe(hasFailed);
  expect(readErrorText(stats)).toBe(text);
});

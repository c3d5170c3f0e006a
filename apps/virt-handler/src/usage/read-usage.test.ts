import { DomainJobType } from '@smalt/libvirt';
import type { VirtualMachineInstanceMigrationState } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { anInstance } from '../sync/fixtures/an-instance.ts';
import { hostUsageIn } from './read-host-usage.ts';
import { readInstanceUsage } from './read-instance-usage.ts';
import { isLeaving, readMigrationUsage } from './read-migration-usage.ts';

const AT = '2026-01-02T03:04:05.000Z';

describe('readInstanceUsage', () => {
  it('names disks and interfaces as the instance does, and counts totals', () => {
    const instance = anInstance(
      { volumeStatus: [{ name: 'root', target: 'vda' }] },
      { domain: { devices: { interfaces: [{ name: 'gone', state: 'absent' }, { name: 'default' }] } } },
    );

    const usage = readInstanceUsage(
      {
        'cpu.time': 2_500_000_000n,
        'vcpu.current': 2,
        'balloon.current': 2_048n,
        'balloon.rss': 1_000n,
        'balloon.available': 1_900n,
        'balloon.usable': 1_500n,
        'balloon.unused': 100n,
        'block.count': 2,
        'block.0.name': 'vda',
        'block.0.rd.bytes': 10n,
        'block.0.rd.reqs': 1n,
        'block.0.wr.bytes': 20n,
        'block.0.wr.reqs': 2n,
        'block.1.name': 'sda',
        'net.count': 1,
        'net.0.name': 'sm1',
        'net.0.rx.bytes': 30n,
        'net.0.tx.bytes': 40n,
      },
      instance,
      AT,
    );

    expect(usage).toEqual({
      at: AT,
      cpu: { seconds: 2.5, vcpus: 2 },
      memory: { residentBytes: 1_024_000, usedBytes: 409_600, totalBytes: 2_097_152 },
      disks: [
        { name: 'root', readBytes: 10, writtenBytes: 20, reads: 1, writes: 2 },
        { name: 'sda', readBytes: 0, writtenBytes: 0, reads: 0, writes: 0 },
      ],
      interfaces: [{ name: 'default', receivedBytes: 30, sentBytes: 40 }],
    });
  });

  it('takes what the process holds for used where the guest says nothing, and never more than it has', () => {
    const usage = readInstanceUsage({ 'balloon.current': 10n, 'balloon.rss': 12n }, anInstance(), AT);

    expect(usage.memory).toEqual({ residentBytes: 12_288, usedBytes: 10_240, totalBytes: 10_240 });
  });

  it('is not led astray by a count that cannot be', () => {
    const usage = readInstanceUsage({ 'block.count': 4_000_000_000, 'net.count': -1 }, anInstance(), AT);

    expect([usage.disks.length, usage.interfaces]).toEqual([2, []]);
  });
});

describe('readMigrationUsage', () => {
  it('tells what is left, how fast it goes and how fast the guest writes', () => {
    const params = {
      data_total: 1_000n,
      data_processed: 400n,
      data_remaining: 600n,
      memory_bps: 50n,
      disk_bps: 5n,
      memory_dirty_rate: 3n,
      memory_page_size: 4_096n,
      downtime: 250n,
      time_elapsed: 7_000n,
      memory_iteration: 2n,
      auto_converge_throttle: 20,
    };
    const instance = anInstance({ migrationState: { mode: 'PostCopy' } });

    expect(readMigrationUsage({ type: DomainJobType.unbounded, params }, instance)).toEqual({
      mode: 'PostCopy',
      totalBytes: 1_000,
      processedBytes: 400,
      remainingBytes: 600,
      bytesPerSecond: 55,
      dirtyBytesPerSecond: 12_288,
      downtimeMs: 250,
      elapsedMs: 7_000,
      iteration: 2,
      throttlePercent: 20,
    });
  });

  it.each([
    [{ type: DomainJobType.none, params: { data_total: 1n } }],
    [{ type: DomainJobType.completed, params: { data_total: 1n } }],
    [{ type: DomainJobType.unbounded, params: {} }],
  ])('is nothing for %o', (job) => {
    expect(readMigrationUsage(job, anInstance())).toBeUndefined();
  });

  it.each<[VirtualMachineInstanceMigrationState, boolean]>([
    [{ sourceNode: 'n1', startTimestamp: AT }, true],
    [{ sourceNode: 'n1', startTimestamp: AT, endTimestamp: null }, true],
    [{ sourceNode: 'n1' }, false],
    [{ sourceNode: 'n2', startTimestamp: AT }, false],
    [{ sourceNode: 'n1', startTimestamp: AT, endTimestamp: AT }, false],
    [{ sourceNode: 'n1', startTimestamp: AT, completed: true }, false],
  ])('is asked for with %o: %s', (migrationState, isAsked) => {
    expect(isLeaving(anInstance({ migrationState }), 'n1')).toBe(isAsked);
  });
});

it('reads a host from the files of its kernel', () => {
  const stat =
    'cpu  100 10 50 900 30 1 2 3 40 0\ncpu0 50 5 25 450 15 0 1 1 20 0\ncpu1 50 5 25 450 15 1 1 2 20 0\nintr 1\n';
  const meminfo = 'MemTotal:       2048 kB\nMemFree:         100 kB\nMemAvailable:   1024 kB\n';

  expect(hostUsageIn({ stat, loadavg: '0.52 0.40 0.30 1/200 77\n', meminfo })).toEqual({
    cpuBusySeconds: 1.66,
    cpus: 2,
    load1: 0.52,
    memoryUsedBytes: 1_048_576,
    memoryTotalBytes: 2_097_152,
  });
});

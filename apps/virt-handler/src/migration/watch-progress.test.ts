import { setImmediate } from 'node:timers/promises';

import { DomainJobType, LibvirtError, type CallOptions } from '@smalt/libvirt';
import { MigrationMode } from '@smalt/vm-api';
import { MIGRATION_DEFAULTS, type MigrationSettings } from '@smalt/vm-lifecycle';
import { describe, expect, it } from 'vitest';

import { watchProgress, type MigrationProgress, type ProgressWatch } from './watch-progress.ts';

const GIB = 2n ** 30n;
const SETTINGS: MigrationSettings = { ...MIGRATION_DEFAULTS, progressTimeout: 150, completionTimeoutPerGiB: 200 };

describe('watchProgress', () => {
  it.each([
    { when: 'libvirt has never told how far it is', toldLooks: 0, settings: SETTINGS, at: 151 },
    { when: 'libvirt tells nothing any more', toldLooks: 20, settings: SETTINGS, at: 172 },
    {
      when: 'libvirt tells nothing any more and it has had its time',
      toldLooks: 20,
      settings: { ...SETTINGS, progressTimeout: 0 },
      at: 401,
    },
  ])('gives up in time when $when', async ({ toldLooks, settings, at }) => {
    const world = new World({ settings });
    const { stuck } = await world.watch(500, (look) => {
      if (look >= toldLooks) throw new LibvirtError('timeout', 'no reply');
      return job(2n * GIB, 2n * GIB - BigInt(look));
    });

    expect(stuck?.reason).toMatch(/^Live migration (?:stuck|is not completed)/u);
    expect(Math.abs((stuck?.second ?? 0) - at)).toBeLessThanOrEqual(1);
  });

  it('lets no question to libvirt take longer than a few seconds', async () => {
    const world = new World({});
    await world.watch(3, () => job(GIB, GIB));

    expect(world.timeouts.length).toBeGreaterThan(0);
    expect(Math.max(...world.timeouts)).toBeLessThanOrEqual(5_000);
  });

  it('judges a migration whose downtime cannot be limited, and tries that again', async () => {
    const world = new World({});
    world.failures.push('domainMigrateSetMaxDowntime');
    const { stuck, progress } = await world.watch(200, () => job(GIB, GIB));

    expect(stuck?.reason).toMatch(/^Live migration stuck for 151 sec/u);
    expect(progress).toMatchObject({ mode: MigrationMode.preCopy, remainingBytes: GIB });
    expect(world.calls.filter((name) => name === 'domainMigrateSetMaxDowntime').length).toBeGreaterThan(100);
    expect(world.ignored).toContain('the downtime of a migration cannot be limited');
  });

  it('judges a migration that cannot go over to post-copy', async () => {
    const world = new World({ settings: { ...SETTINGS, completionTimeoutPerGiB: 10, allowPostCopy: true } });
    world.failures.push('domainMigrateStartPostCopy');
    const { stuck } = await world.watch(200, () => job(GIB, GIB));

    expect(stuck?.reason).toMatch(/^Live migration stuck for 151 sec/u);
  });

  it('takes one for post-copy that may have gone over to it', async () => {
    const world = new World({ settings: { ...SETTINGS, completionTimeoutPerGiB: 10, allowPostCopy: true } });
    world.failures.push('domainMigrateStartPostCopy');
    world.code = 'timeout';
    const { stuck, progress } = await world.watch(200, () => job(GIB, GIB));

    expect(stuck).toBeUndefined();
    expect(progress?.mode).toBe(MigrationMode.postCopy);
  });

  it.each([3_600_000, -3_600_000])('does not mind when the clock on the wall is set by %i ms', async (step) => {
    const world = new World({});
    const { stuck } = await world.watch(200, (look) => {
      if (look === 10) world.wallOffset = step;
      return job(GIB, GIB);
    });

    expect(stuck?.reason).toMatch(/^Live migration stuck for 151 sec/u);
  });
});

/** A daemon that tells what it is given, and a time that goes on as fast as it is waited for. */
class World {
  readonly calls: string[] = [];
  readonly timeouts: number[] = [];
  readonly ignored: string[] = [];
  /** The calls that fail, and how. */
  readonly failures: string[] = [];
  code: 'timeout' | 'operation-failed' = 'operation-failed';
  wallOffset = 0;
  readonly #settings: MigrationSettings;
  #time = 1_000_000;

  constructor({ settings = SETTINGS }: { readonly settings?: MigrationSettings }) {
    this.#settings = settings;
  }

  async watch(seconds: number, tell: (look: number) => ReturnType<typeof job>): Promise<Watched> {
    const stop = new AbortController();
    const start = this.#time;
    let looks = 0;
    let stuck: Watched['stuck'];
    let progress: MigrationProgress | undefined;
    const called = (name: string, options: CallOptions | undefined): void => {
      this.calls.push(name);
      this.timeouts.push(options?.timeoutMs ?? Infinity);
      if (this.failures.includes(name)) throw new LibvirtError(this.code, 'as told');
    };
    const daemon: ProgressWatch['daemon'] = {
      domainGetJobStats: async (_, options) => (called('domainGetJobStats', options), tell(looks++)),
      domainMigrateSetMaxDowntime: async (_, options) => called('domainMigrateSetMaxDowntime', options),
      domainMigrateStartPostCopy: async (_, options) => called('domainMigrateStartPostCopy', options),
      domainSuspend: async (_, options) => called('domainSuspend', options),
    };
    const clock: ProgressWatch['clock'] = {
      now: () => this.#time + this.wallOffset,
      monotonic: () => this.#time - 500_000,
      wait: async (milliseconds) => {
        this.#time += milliseconds;
        if (this.#time - start > seconds * 1_000) stop.abort();
        await setImmediate();
      },
      later: () => () => undefined,
    };
    const onStuck = (reason: string): void => {
      stuck ??= { reason, second: (this.#time - start) / 1_000 };
    };
    const onProgress = (told: MigrationProgress): void => void (progress = told);
    const ignore = (_: unknown, why: string): void => void this.ignored.push(why);
    const domain = { name: 'guest', uuid: 'uuid', id: 1 };
    const watch = { daemon, domain, settings: this.#settings, startedAt: clock.monotonic(), clock };
    await watchProgress({ ...watch, ignore, onProgress, onStuck }, stop.signal);
    return { stuck, progress };
  }
}

interface Watched {
  readonly stuck: { readonly reason: string; readonly second: number } | undefined;
  readonly progress: MigrationProgress | undefined;
}

function job(total: bigint, remaining: bigint) {
  return { type: DomainJobType.unbounded, params: { data_total: total, data_remaining: remaining } };
}

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import type { Clock } from '@smalt/controller-runtime';
import { findHypervisor } from '@smalt/hypervisors';
import { openSession, type Domain, type LibvirtSession } from '@smalt/libvirt';
import type { NodeUsage } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { RunningInstance } from '../sync/running-instances.ts';
import { anInstance } from '../sync/fixtures/an-instance.ts';
import { UsageSampler, type UsageSession } from './usage-sampler.ts';

const HOST = { cpuBusySeconds: 1, cpus: 2, load1: 0.5, memoryUsedBytes: 3, memoryTotalBytes: 4 };
const owned = new AsyncDisposableStack();
let daemon: TestDaemon;
let session: LibvirtSession;
let domain: Domain;

beforeAll(async () => {
  daemon = owned.use(await startTestDaemon());
  session = owned.use(openSession(daemon.uri));
  domain = await session.domainCreateXml({ xml: guestXml('default_guest') });
  await session.domainCreateXml({ xml: guestXml('default_stranger') });
});

afterAll(() => owned.disposeAsync());

it('asks libvirt once a second for all who read, and not at all while nobody does', async () => {
  const { sampler, calls, clock } = await openSampler();
  const before = calls();

  const stop = new AbortController();
  const readers = Array.from({ length: 5 }, () => sampler.samples(stop.signal));
  const first = await Promise.all(readers.map(next));
  const afterFirst = calls();
  await clock.passed();
  const second = await Promise.all(readers.map(next));

  expect([before, afterFirst, calls()]).toEqual([0, 1, 2]);
  expect(new Set(first).size + new Set(second).size).toBe(2);
  expect(sampler.readers).toBe(5);
  stop.abort();
  await Promise.all(readers.map((reader) => reader.return()));
  expect([sampler.readers, clock.isWaiting]).toEqual([0, false]);
});

it('tells of instances of this node alone, and of the host', async () => {
  const { sampler } = await openSampler();
  const reader = sampler.samples(new AbortController().signal);

  const { host, machines, at } = await next(reader);
  await reader.return();

  expect(host).toEqual(HOST);
  expect(machines).toEqual([
    expect.objectContaining({
      namespace: 'default',
      name: 'guest',
      at,
      cpu: { seconds: expect.any(Number), vcpus: expect.any(Number) },
    }),
  ]);
});

it('has a slow reader miss what was measured meanwhile', async () => {
  const { sampler, clock } = await openSampler();
  const quick = sampler.samples(new AbortController().signal);
  const slow = sampler.samples(new AbortController().signal);
  const seen = [await next(quick)];
  await next(slow);
  for (let round = 0; round < 3; round++) {
    await clock.passed();
    seen.push(await next(quick));
  }

  const late = next(slow);
  await clock.passed();
  seen.push(await next(quick));

  expect(await late).toBe(seen.at(-1));
  await Promise.all([quick.return(), slow.return()]);
});

it('gives the next reader what was measured within the last second, at once', async () => {
  const { sampler, calls } = await openSampler();
  const first = sampler.samples(new AbortController().signal);
  const measured = await next(first);

  const second = sampler.samples(new AbortController().signal);

  expect([await next(second), calls()]).toEqual([measured, 1]);
  await Promise.all([first.return(), second.return()]);
});

it('goes on without the guests of a libvirt that fails, and begins anew for the next reader', async () => {
  const ignored: string[] = [];
  let fails = true;
  const { sampler } = await openSampler({ failing: () => fails, ignored });

  const first = sampler.samples(new AbortController().signal);
  const empty = await next(first);
  await first.return();
  fails = false;
  const second = sampler.samples(new AbortController().signal);
  await next(second);
  const full = await next(second);
  await second.return();

  expect([empty.machines.length, full.machines.length]).toEqual([0, 1]);
  expect(ignored).toEqual(['what guests use is asked for again a second later']);
});

interface OpenSampler {
  readonly sampler: UsageSampler;
  readonly clock: SteppedClock;
  readonly calls: () => number;
}

async function openSampler(
  given: { readonly failing?: () => boolean; readonly ignored?: string[] } = {},
): Promise<OpenSampler> {
  await session.connectGetLibVersion();
  let calls = 0;
  const counted: UsageSession = {
    get state() {
      return session.state;
    },
    uri: session.uri,
    domainGetJobStats: (...words) => session.domainGetJobStats(...words),
    connectGetAllDomainStats: async (...words) => {
      calls++;
      if (given.failing?.() === true) throw new Error('no answer');
      return await session.connectGetAllDomainStats(...words);
    },
  };
  const running: RunningInstance = { instance: anInstance(), hypervisor: findHypervisor('test'), session, domain };
  const clock = new SteppedClock();
  const sampler = new UsageSampler({
    nodeName: 'n1',
    sessions: [counted],
    instances: { find: (_, name) => (name === 'guest' ? running : undefined) },
    readHost: () => Promise.resolve(HOST),
    clock,
    ignore: (_, why) => given.ignored?.push(why),
  });
  return { sampler, clock, calls: () => calls };
}

async function next(reader: AsyncGenerator<NodeUsage, void>): Promise<NodeUsage> {
  const result = await reader.next();
  if (result.done === true) throw new Error('there was no more');
  return result.value;
}

/** A clock whose pauses end when the test says so. */
class SteppedClock implements Clock {
  #time = 0;
  #pause: PromiseWithResolvers<void> | undefined;
  #asked = Promise.withResolvers<void>();

  get isWaiting(): boolean {
    return this.#pause !== undefined;
  }

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const pause = Promise.withResolvers<void>();
    this.#pause = pause;
    this.#asked.resolve();
    signal?.addEventListener('abort', () => pause.reject(signal.reason), { once: true });
    await pause.promise.finally(() => (this.#pause = undefined));
    this.#time += milliseconds;
  }

  later(): () => void {
    throw new Error('nobody asks for that');
  }

  /** Lets the pause end that is, or that comes next. */
  async passed(): Promise<void> {
    await this.#asked.promise;
    this.#asked = Promise.withResolvers();
    this.#pause?.resolve();
  }
}

function guestXml(name: string): string {
  return `<domain type='test'><name>${name}</name><memory>65536</memory><vcpu>1</vcpu><os><type>hvm</type></os></domain>`;
}

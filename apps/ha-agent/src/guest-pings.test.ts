import { ConsoleLog, ensureGuestImage, guestDomainXml, startHost, type BedHost } from '@smalt/bed-libvirt';
import { defaultReportSettings, type ReportSettings, type TelemetryEvent } from '@smalt/ha-telemetry';
import { migrateToUri, openSession, type Domain, type LibvirtSession, type LibvirtStream } from '@smalt/libvirt';
import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { GuestPings } from './guest-pings.ts';
import { declareHaMetrics } from './ha-metrics.ts';
import { watchDomainEvents } from './watch-domain-events.ts';

const FAST: ReportSettings = {
  ...defaultReportSettings,
  intervals: { ...defaultReportSettings.intervals, guestPingSeconds: 0.3 },
  guestPing: { misses: 2, timeoutSeconds: 1 },
};
const SOON = { timeout: 30_000, interval: 100 };

// One guest with a shell on its console, and one that is not let be told of, live through all of it in this order.
describe('the guests of a host', { timeout: 90_000 }, () => {
  const owned = new AsyncDisposableStack();
  const metrics = new MetricsRegistry();
  const told: TelemetryEvent[] = [];
  const ignored: string[] = [];
  let settings = FAST;
  let host: BedHost;
  let session: LibvirtSession;
  let guest: Domain;
  let pings: GuestPings;
  let shell: LibvirtStream;

  beforeAll(async () => {
    const image = await ensureGuestImage();
    host = owned.use(await startHost());
    session = owned.use(openSession(host.uri));
    pings = watch(session);
    guest = await session.domainCreateXml({
      xml: guestDomainXml({ name: 'guest', image, words: ['shell'], console: 'pty' }),
    });
    const log = new ConsoleLog(`${host.network.storagePath}/other.log`);
    await session.domainCreateXml({ xml: guestDomainXml({ name: 'other', image, console: { file: log.path } }) });
    shell = owned.use(await session.domainOpenConsole({ domain: guest }));
    await log.waitFor(/^guest-ready/m, { timeoutMs: 60_000 });
  }, 90_000);

  afterAll(() => owned.disposeAsync());

  it('are asked once their agents are there', async () => {
    await expect.poll(() => answered(), SOON).toBeGreaterThan(3);

    expect(told).toEqual([]);
    expect(pings.silent).toBe(0);
  });

  it('are told to be silent when their agent hangs, and to answer when it goes on', async () => {
    await type('kill -STOP $(cat /run/agent.pid)');
    await expect.poll(() => told, SOON).toHaveLength(1);

    const { uuid, name, id } = guest;
    const domain = { uuid, name, id };
    const since = expect.stringMatching(/^\d{4}-/);
    expect(told).toEqual([{ kind: 'guest-ping', domain, state: 'silent', misses: 2, since }]);
    expect(pings.silent).toBe(1);

    await type('kill -CONT $(cat /run/agent.pid)');
    await expect.poll(() => told.slice(1), SOON).toMatchObject([{ kind: 'guest-ping', domain, state: 'answers' }]);
    expect(pings.silent).toBe(0);
  });

  it('are not silent while they are paused', async () => {
    told.length = 0;
    await session.domainSuspend({ domain: guest });

    await rounds(4);
    await session.domainResume({ domain: guest });

    expect(told).toEqual([]);
  });

  it('are not asked when the settings leave them out', async () => {
    settings = { ...FAST, domains: { include: ['*'], exclude: ['guest'] } };
    await rounds(2);
    const before = counted('missed');
    await type('kill -STOP $(cat /run/agent.pid)');

    await rounds(4);

    expect([told, counted('missed')]).toEqual([[], before]);
    await type('kill -CONT $(cat /run/agent.pid)');
    settings = FAST;
  });

  it('are not silent when their agent has ended', async () => {
    const before = answered();
    await rounds(3);
    expect(answered()).toBeGreaterThan(before);

    await type('kill -9 $(cat /run/agent.pid)');
    await rounds(4);

    expect(told).toEqual([]);
  });

  it('are not asked while they are on their way to another host', async () => {
    await using destination = await startHost({ network: host.network });
    const domain = await session.domainLookupByName({ name: 'other' });
    const leaving = new AbortController();
    const slowly = { domain, destinationUri: destination.uri, parameters: { bandwidth: 1n }, signal: leaving.signal };
    const failed = migrateToUri(session, slowly).catch((error: unknown) => error);

    const [excused, answers] = await excusedTwice();
    leaving.abort();

    expect(await failed).toBeInstanceOf(Error);
    expect(answers).toBe(0);
    expect([excused, told]).toEqual([2, []]);
    await rounds(2);
  });

  it('are silent when their machine hangs as a whole', async () => {
    await signalMachine('STOP');
    await expect.poll(() => told, SOON).toMatchObject([{ domain: { name: 'other' }, state: 'silent' }]);
    await signalMachine('CONT');

    await expect.poll(() => told.at(-1), SOON).toMatchObject({ domain: { name: 'other' }, state: 'answers' });
    expect(ignored).toEqual([]);
  });

  function watch(over: LibvirtSession): GuestPings {
    const stopping = new AbortController();
    const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
    const made = new GuestPings({
      session: over,
      settings: () => settings,
      metrics: declareHaMetrics(metrics),
      ignore,
      now: () => new Date(),
      onEvent: (event) => told.push(event),
    });
    const watching = watchDomainEvents(
      {
        session: over,
        logger,
        ignore,
        onEvent: (event) => made.heard(event),
        onMissed: () => made.doubtAll(),
      },
      stopping.signal,
    );
    const running = made.run(stopping.signal);
    owned.defer(async () => {
      stopping.abort();
      await Promise.all([watching, running]);
    });
    return made;
  }

  function ignore(error: unknown, why: string): void {
    ignored.push(`${why}: ${String(error)}`);
  }

  async function type(command: string): Promise<void> {
    await shell.write(Buffer.from(`${command}\n`));
  }

  function counted(result: string): number {
    const found = new RegExp(`guest_pings_total\\{result="${result}"\\} (\\d+)`).exec(metrics.expose());
    return Number(found?.[1] ?? 0);
  }

  function answered(): number {
    return counted('answered');
  }

  /** Waits while the other guest, which is well, is asked so many times. */
  async function rounds(count: number): Promise<void> {
    const wanted = answered() + count;
    await expect.poll(() => answered(), SOON).toBeGreaterThanOrEqual(wanted);
  }

  /** How many were excused and answered in the round after the first excuse. */
  async function excusedTwice(): Promise<readonly [number, number]> {
    const before = counted('excused');
    await expect.poll(() => counted('excused'), SOON).toBe(before + 1);
    const until = answered();
    await expect.poll(() => counted('excused'), SOON).toBe(before + 2);
    return [counted('excused') - before, answered() - until];
  }

  async function signalMachine(name: string): Promise<void> {
    await host.exec(['sh', '-c', `kill -${name} $(cat /run/libvirt/qemu/other.pid)`]);
  }
});

import type { Clock } from '@smalt/controller-runtime';
import type { Domain, DomainStatsRecord, LibvirtSession } from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';
import type { HostUsage, MigrationUsage, NamedInstanceUsage, NodeUsage } from '@smalt/vm-api';

import { readStatistics, type StatisticsSession } from '../metrics/read-statistics.ts';
import type { RunningInstance, RunningInstances } from '../sync/running-instances.ts';
import { readInstanceUsage } from './read-instance-usage.ts';
import { isLeaving, readMigrationUsage } from './read-migration-usage.ts';

export type UsageSession = StatisticsSession & Pick<LibvirtSession, 'domainGetJobStats'>;

export interface UsageSamplerDeps {
  readonly nodeName: string;
  readonly sessions: readonly UsageSession[];
  readonly instances: Pick<RunningInstances, 'find'>;
  readonly readHost: () => Promise<HostUsage>;
  readonly clock: Clock;
  readonly ignore: Ignore;
}

const EVERY_MS = 1_000;
/** A libvirt that is slow must not be asked again at once. */
const LEAST_PAUSE_MS = 100;
const JOB_TIMEOUT_MS = 2_000;

/**
 * Measures what the guests of this node and the node itself use, once a second for all who read, and not at all while nobody
 * does. Who reads slowly misses what was measured meanwhile; nothing is kept for anybody.
 */
export class UsageSampler {
  readonly #deps: UsageSamplerDeps;
  #readers = 0;
  #stop = new AbortController();
  #next = Promise.withResolvers<NodeUsage>();
  #last: { readonly usage: NodeUsage; readonly takenAt: number } | undefined;

  constructor(deps: UsageSamplerDeps) {
    this.#deps = deps;
  }

  /** How many read now. */
  get readers(): number {
    return this.#readers;
  }

  /** What is used, from now on, until the signal fires or whoever iterates stops. */
  async *samples(signal: AbortSignal): AsyncGenerator<NodeUsage, void> {
    const gone = Promise.withResolvers<undefined>();
    const onAbort = (): void => gone.resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#enter();
    try {
      const { usage, takenAt } = this.#last ?? { takenAt: -Infinity };
      if (usage !== undefined && this.#deps.clock.monotonic() - takenAt < EVERY_MS) yield usage;
      while (!signal.aborted) {
        const next = await Promise.race([this.#next.promise, gone.promise]);
        if (next === undefined) return;
        yield next;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#leave();
    }
  }

  #enter(): void {
    this.#readers++;
    if (this.#readers > 1) return;
    this.#stop = new AbortController();
    this.#next = Promise.withResolvers();
    void this.#run(this.#next, this.#stop.signal);
  }

  #leave(): void {
    this.#readers--;
    if (this.#readers === 0) this.#stop.abort(new Error('nobody reads any more'));
  }

  async #run(first: PromiseWithResolvers<NodeUsage>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    let waiting = first;
    try {
      while (!signal.aborted) {
        const startedAt = clock.monotonic();
        const usage = await this.#take(signal);
        if (signal.aborted) return;
        const told = waiting;
        waiting = Promise.withResolvers();
        this.#last = { usage, takenAt: startedAt };
        this.#next = waiting;
        told.resolve(usage);
        const pauseMs = EVERY_MS - (clock.monotonic() - startedAt);
        await clock.wait(Math.max(LEAST_PAUSE_MS, pauseMs), signal);
      }
    } catch (error) {
      // Whoever waits hears of it; when nobody does, nobody has to.
      waiting.promise.catch(() => undefined);
      waiting.reject(error);
    }
  }

  async #take(signal: AbortSignal): Promise<NodeUsage> {
    const { sessions, readHost, clock } = this.#deps;
    const at = new Date(clock.now()).toISOString();
    const [host, ...machines] = await Promise.all([
      readHost(),
      ...sessions.map((session) => this.#machinesOf(session, at, signal)),
    ]);
    return { at, host, machines: machines.flat() };
  }

  async #machinesOf(session: UsageSession, at: string, signal: AbortSignal): Promise<readonly NamedInstanceUsage[]> {
    // A call would wait for the daemon to come back, and all readers with it.
    if (session.state.kind !== 'connected') return [];
    try {
      const records = await readStatistics(session);
      return (await Promise.all(records.map((record) => this.#usageOf(record, at, signal)))).flat();
    } catch (error) {
      if (!signal.aborted) this.#deps.ignore(error, 'what guests use is asked for again a second later');
      return [];
    }
  }

  async #usageOf(
    { domain, params }: DomainStatsRecord,
    at: string,
    signal: AbortSignal,
  ): Promise<readonly NamedInstanceUsage[]> {
    const running = this.#find(domain);
    if (running === undefined) return [];
    const { instance } = running;
    const { namespace = '', name } = instance.metadata;
    const migration = await this.#migrationOf(running, signal);
    const usage = { namespace, name, ...readInstanceUsage(params, instance, at) };
    return [migration === undefined ? usage : { ...usage, migration }];
  }

  async #migrationOf(
    { session, domain, instance }: RunningInstance,
    signal: AbortSignal,
  ): Promise<MigrationUsage | undefined> {
    if (!isLeaving(instance, this.#deps.nodeName)) return undefined;
    try {
      const job = await session.domainGetJobStats({ domain }, { signal, timeoutMs: JOB_TIMEOUT_MS });
      return readMigrationUsage(job, instance);
    } catch (error) {
      if (!signal.aborted) this.#deps.ignore(error, 'the progress of a migration is asked for again a second later');
      return undefined;
    }
  }

  /** Domains that nobody here answers for are nobody's business. */
  #find({ name, uuid }: Domain): RunningInstance | undefined {
    // Names of objects have no underscore, so the first one ends the namespace.
    const place = name.indexOf('_');
    const found = place <= 0 ? undefined : this.#deps.instances.find(name.slice(0, place), name.slice(place + 1));
    return found?.domain.uuid === uuid ? found : undefined;
  }
}

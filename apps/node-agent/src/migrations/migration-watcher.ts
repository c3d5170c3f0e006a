import { type Clock, WakeUp, runTogether } from '@smalt/controller-runtime';
import {
  ConnectListAllDomainsFlags,
  isUnsupported,
  lifecycleDetailName,
  lifecycleEventName,
  type Domain,
  type DomainEvent,
  type LibvirtSession,
  type MonitorEvent,
} from '@smalt/libvirt';
import {
  advanceWatch,
  observationOf,
  resumeWatch,
  type Moment,
  type Observation,
  type Sighting,
  type Watch,
} from '@smalt/migration-record';
import type { Ignore, Logger } from '@smalt/service-runtime';

import { lookAtJob, lookBackAtJob } from './look-at-job.ts';
import type { MigrationMetrics } from './migration-metrics.ts';
import type { PendingRecord } from './pending-record.ts';

export interface WatcherDeps {
  readonly session: LibvirtSession;
  /** The name of this host in Migrations. */
  readonly host: string;
  /** The name that the kernel has for the time since the host was started. */
  readonly bootId: string;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly metrics: MigrationMetrics;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly pollMs: number;
}

const KINDS = ['lifecycle', 'job-completed', 'migration-iteration'] as const;
/** How many domains are asked at a time when all have to be. */
const CONCURRENCY = 4;
/** The statistics of a job may come a moment after its end. */
const LINGER_MS = 5000;

interface Watched {
  readonly domain: Domain;
  readonly watch: Watch;
}

/** Watches the migrations of a daemon, over its restarts, and reports each when it begins, goes on and ends. */
export class MigrationWatcher {
  readonly #deps: WatcherDeps;
  readonly #report: (report: PendingRecord) => void;
  readonly #watched = new Map<string, Watched>();
  /** The runs of guests whose migrations were under way when the agent stopped, until the guest is found. */
  readonly #resumedRuns = new Map<string, string>();
  /** The looks that are under way, and whether something happened meanwhile that asks for another. */
  readonly #looking = new Map<string, boolean>();
  readonly #wakeUp: WakeUp;

  constructor(deps: WatcherDeps, report: (report: PendingRecord) => void) {
    this.#deps = deps;
    this.#report = report;
    this.#wakeUp = new WakeUp(deps.clock);
  }

  /** Goes on with a migration that was under way when the agent stopped. */
  resume({ guest, observation, run }: PendingRecord): void {
    const domain = { name: guest, uuid: observation.instance, id: -1 };
    this.#watched.set(domain.uuid, { domain, watch: resumeWatch(observation, this.#moment()) });
    if (run !== undefined) this.#resumedRuns.set(domain.uuid, run);
  }

  async run(signal: AbortSignal): Promise<void> {
    await runTogether(
      [(until) => this.#watchDomains(until), (until) => this.#watchMonitors(until), (until) => this.#poll(until)],
      signal,
    );
  }

  async #watchDomains(signal: AbortSignal): Promise<void> {
    const { session, logger } = this.#deps;
    await session.connected({ signal });
    await using events = await session.domainEvents({ kinds: KINDS, skipUnsupported: true, signal });
    logger.info({ skipped: events.skipped }, 'watching for migrations');
    this.#recoverSoon(signal);
    for await (const event of events) {
      // Events may be missing here: what was under way may be over, and something else begun.
      if (event.kind === 'overflow' || event.kind === 'resubscribed') this.#recoverSoon(signal);
      else this.#handle(event, signal);
    }
  }

  /** QEMU tells why a migration did not succeed before libvirt forgets it. Other drivers have no such events. */
  async #watchMonitors(signal: AbortSignal): Promise<void> {
    const { session, ignore } = this.#deps;
    try {
      await session.connected({ signal });
      await using events = await session.qemuMonitorEvents({ event: 'MIGRATION', signal });
      for await (const event of events) {
        if (event.kind === 'monitor') this.#see(event.domain, this.#readMonitor(event), signal);
        if (event.kind === 'resubscribed') this.#listenAgain(signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isUnsupported(error)) throw error;
      ignore(error, 'the driver has no monitor events: a cancelled migration is told as a failed one');
    }
  }

  /** What QEMU says from here on may be the work of a daemon that was started anew. */
  #listenAgain(signal: AbortSignal): void {
    this.#deps.logger.info({}, 'libvirt was out of reach; watching for migrations again');
    for (const { domain } of this.#watched.values()) this.#take(domain, { kind: 'reconnected' }, signal);
  }

  #readMonitor({ details }: MonitorEvent): Sighting {
    try {
      const { status }: { status?: unknown } = Object(JSON.parse(details ?? '{}'));
      return { kind: 'monitor', status: typeof status === 'string' ? status : '' };
    } catch (error) {
      this.#deps.ignore(error, 'an event of the monitor makes no sense');
      return { kind: 'monitor', status: '' };
    }
  }

  #handle(event: DomainEvent, signal: AbortSignal): void {
    if (event.kind === 'migration-iteration') {
      this.#see(event.domain, { kind: 'iteration', iteration: event.iteration }, signal);
    }
    if (event.kind === 'job-completed') {
      this.#see(event.domain, { kind: 'job-completed', stats: event.params }, signal);
    }
    if (event.kind === 'lifecycle') {
      const detail = lifecycleDetailName(event.event, event.detail);
      this.#see(event.domain, { kind: 'lifecycle', event: lifecycleEventName(event.event), detail }, signal);
    }
  }

  /** Once a second, as long as there is something to look at. */
  async #poll(signal: AbortSignal): Promise<void> {
    const { clock, pollMs } = this.#deps;
    while (!signal.aborted) {
      await this.#wakeUp.wait(this.#watched.size === 0 ? Infinity : pollMs, signal);
      this.#forgetEnded(clock.monotonic() - LINGER_MS);
      const open = [...this.#watched.values()].filter(({ watch }) => watch.end === undefined);
      for (const { domain } of open) this.#lookSoon(domain, lookAtJob, signal);
    }
  }

  #forgetEnded(beforeMs: number): void {
    for (const [uuid, { watch }] of this.#watched) {
      if (watch.end !== undefined && watch.end.monotonicMs < beforeMs) this.#watched.delete(uuid);
    }
  }

  #see(domain: Domain, sighting: Sighting, signal: AbortSignal): void {
    if (this.#isStartedAnew(domain)) this.#take(domain, { kind: 'started-anew' }, signal);
    this.#take(domain, sighting, signal);
  }

  /** Whether a guest that was on its way when the agent stopped is another run of it now, as after a power failure. */
  #isStartedAnew(domain: Domain): boolean {
    const run = this.#runOf(domain);
    const resumed = this.#resumedRuns.get(domain.uuid);
    if (run === undefined || resumed === undefined) return false;
    this.#resumedRuns.delete(domain.uuid);
    return run !== resumed;
  }

  /** Nothing if the guest does not run, or was found in no list yet. */
  #runOf({ id }: Domain): string | undefined {
    return id < 0 ? undefined : `${this.#deps.bootId}/${id}`;
  }

  #take(domain: Domain, sighting: Sighting, signal: AbortSignal): void {
    const moment = this.#moment();
    const before = this.#watched.get(domain.uuid)?.watch;
    const { watch, effects, ended } = advanceWatch(before, sighting, moment);
    if (watch === undefined) this.#watched.delete(domain.uuid);
    else this.#watched.set(domain.uuid, { domain, watch });
    if (before === undefined && watch !== undefined && this.#watched.size === 1) this.#wakeUp.ring();
    if (effects.includes('look')) this.#lookSoon(domain, lookAtJob, signal);
    if (effects.includes('look-back')) this.#lookSoon(domain, lookBackAtJob, signal);
    for (const told of [ended, effects.includes('report') ? watch : undefined]) {
      if (told === undefined) continue;
      const observation = observationOf(told, { instance: domain.uuid, host: this.#deps.host }, moment);
      this.#tell(domain, before, observation, sighting);
      this.#report({ guest: domain.name, observation, run: told === ended ? undefined : this.#runOf(domain) });
    }
  }

  #tell(domain: Domain, before: Watch | undefined, observation: Observation, sighting: Sighting): void {
    const { logger, metrics } = this.#deps;
    const { role, result, elapsedMs } = observation;
    const fields = { guest: domain.name, instance: domain.uuid, role };
    const isKnown = before?.isCertain === true && before.startedAtMs === observation.startedAtMs;
    if (!isKnown && result === undefined) logger.info(fields, 'a migration began');
    const told = isKnown ? before.end?.result.kind : undefined;
    if (result !== undefined && result.kind !== told) {
      logger.info({ ...fields, ...result, durationMs: elapsedMs }, 'a migration ended');
      if (told === undefined) metrics.countEnd(observation);
    }
    const hasFinalStats = sighting.kind === 'job-completed' || sighting.kind === 'past-job';
    if (result?.kind === 'completed' && hasFinalStats) metrics.observeDowntime(observation);
    const open = [...this.#watched.values()].filter(({ watch }) => watch.isCertain && watch.end === undefined);
    for (const each of ['origin', 'destination'] as const) {
      metrics.setActive(each, open.filter(({ watch }) => watch.role === each).length);
    }
  }

  #lookSoon(domain: Domain, look: typeof lookAtJob, signal: AbortSignal): void {
    const key = `${look.name} ${domain.uuid}`;
    const isUnderWay = this.#looking.has(key);
    this.#looking.set(key, isUnderWay);
    if (isUnderWay) return;
    this.#look(domain, look, signal)
      .catch((error: unknown) => this.#deps.ignore(error, 'a migration cannot be looked at; it is tried again'))
      .finally(() => {
        const isWantedAgain = this.#looking.get(key) === true;
        this.#looking.delete(key);
        if (isWantedAgain && !signal.aborted) this.#lookSoon(domain, look, signal);
      });
  }

  async #look(domain: Domain, look: typeof lookAtJob, signal: AbortSignal): Promise<boolean> {
    const askedAt = this.#moment();
    const seen = await look(this.#deps.session, domain, signal);
    if (seen === undefined) return false;
    const sighting = seen.kind === 'job' ? { ...seen, askedAt } : seen;
    const watch = this.#watched.get(domain.uuid)?.watch;
    // What began while the question was on its way is not what the answer is about.
    if (watch === undefined || watch.startedMonotonicMs <= askedAt.monotonicMs) this.#see(domain, sighting, signal);
    return true;
  }

  #recoverSoon(signal: AbortSignal): void {
    this.#recover(signal).catch((error: unknown) =>
      this.#deps.ignore(error, 'the daemon went away while migrations under way were looked for'),
    );
  }

  /** Finds the migrations that are under way, and the end of those that were. */
  async #recover(signal: AbortSignal): Promise<void> {
    const { session } = this.#deps;
    const flags = ConnectListAllDomainsFlags.active;
    const domains = await session.connectListAllDomains({ flags }, { signal });
    const queue = domains.values();
    const worker = async (): Promise<void> => {
      for (const domain of queue) if (!(await this.#look(domain, lookAtJob, signal))) return;
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const isThere = new Set(domains.map(({ uuid }) => uuid));
    for (const { domain } of this.#watched.values()) {
      if (!isThere.has(domain.uuid)) this.#lookSoon(domain, lookAtJob, signal);
    }
  }

  #moment(): Moment {
    return { wallMs: this.#deps.now().getTime(), monotonicMs: this.#deps.clock.monotonic() };
  }
}

import { WakeUp } from '@smalt/controller-runtime';
import { hypervisorFacts } from '@smalt/hypervisor-facts';
import { isConnectionLost, type DomainEvent, type EventOverflow, type Resubscribed } from '@smalt/libvirt';

import { connectionCondition, type ConnectionFacts } from './connection-condition.ts';
import { DomainNotes } from './domain-notes.ts';
import { DomainTable } from './domain-table.ts';
import { EVENT_KINDS } from './event-kinds.ts';
import type { HostContext, HostSettings } from './host-settings.ts';
import { readHostSources, type HostReading, type HostSources } from './host-sources.ts';
import { signsReader, type SignsReader } from './read-signs.ts';
import { readServiceState } from './service-state.ts';

// Not imported: an import of the module runs all its getters, which load worker threads.
const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

const CALL_TIMEOUT_MS = 30_000;
const HOURLY_MS = 3_600_000;
/** While very many domains are read, what is known is told this often. */
const TELL_MS = 100;
const RETRY_MS = 5_000;

type HostEvent = DomainEvent | EventOverflow | Resubscribed;

/** What is known of a host, kept up to date by events, and by one cheap look at all domains now and then. */
export class HostModel {
  readonly #context: HostContext;
  readonly #settings: HostSettings;
  readonly #table: DomainTable;
  readonly #notes: DomainNotes;
  readonly #readSigns: SignsReader;
  readonly #work: WakeUp;
  #sources: HostSources = {};
  #connection: ConnectionFacts;
  #isComplete = false;
  /** Whether all has to be read anew, because events may be missing. */
  #mustList = true;
  #mustPoll = false;
  #sourcesReadAt = -Infinity;
  #overcommit: Readonly<Record<string, number>> | undefined;

  constructor(context: HostContext, settings: HostSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#notes = new DomainNotes(context.logger, context.metrics);
    this.#readSigns = signsReader(context.session);
    this.#work = new WakeUp(settings.clock);
    const { session } = context;
    const { clock, domainTimeoutMs: timeoutMs } = settings;
    this.#table = new DomainTable({ session, clock, timeoutMs, onLate: () => this.#work.ring() });
    this.#connection = { session: context.session.state, service: undefined, failures: [] };
    const domains = context.metrics.gauge({ name: 'smalt_agent_domains', help: 'The domains that are known.' });
    context.metrics.onCollect(() => domains.cell([]).set(this.#table.size));
  }

  /** Follows the daemon until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const either = AbortSignal.any([signal, end.signal]);
    const stop = this.#context.hypervisor.onChange((hypervisor) => this.#follow(hypervisor?.spec?.overcommit));
    this.#mustList = true;
    const tasks = [this.#followStates(either), this.#followEvents(either), this.#refreshes(either)];
    try {
      await Promise.all(tasks);
    } finally {
      end.abort();
      stop();
      await Promise.allSettled(tasks);
    }
  }

  async #followStates(signal: AbortSignal): Promise<void> {
    const { session, ignore } = this.#context;
    const states = session.states();
    signal.addEventListener('abort', () => void states.return(), { once: true });
    for await (const state of states) {
      if (signal.aborted) return;
      if (state.kind === 'connecting') continue;
      const service =
        state.kind === 'waiting' ? await readServiceState(this.#settings.systemd, ignore, signal) : undefined;
      this.#connection = { ...this.#connection, session: state, service };
      this.#tell();
    }
  }

  async #followEvents(signal: AbortSignal): Promise<void> {
    const { session } = this.#context;
    while (!signal.aborted) {
      try {
        await session.connected({ signal });
        await using events = await session.domainEvents({ kinds: EVENT_KINDS, skipUnsupported: true, signal });
        this.#mustList = true;
        this.#work.ring();
        for await (const event of events) this.#take(event);
      } catch (error) {
        if (signal.aborted) return;
        if (!isConnectionLost(error)) throw error;
      }
    }
  }

  #take(event: HostEvent): void {
    if (event.kind === 'overflow' || event.kind === 'resubscribed') this.#mustList = true;
    else this.#table.mark(event.domain);
    this.#work.ring();
  }

  async #refreshes(signal: AbortSignal): Promise<void> {
    const { clock, pollMs } = this.#settings;
    let pollAt = clock.monotonic() + pollMs;
    while (!signal.aborted) {
      await this.#work.wait(Math.max(0, pollAt - clock.monotonic()), signal);
      if (signal.aborted) return;
      if (clock.monotonic() >= pollAt) {
        pollAt = clock.monotonic() + pollMs;
        this.#mustPoll = true;
      }
      if (this.#context.session.state.kind === 'connected') await this.#refreshOnce(signal);
    }
  }

  async #refreshOnce(signal: AbortSignal): Promise<void> {
    const { clock, agentMetrics } = this.#settings;
    const startedAt = clock.monotonic();
    try {
      await this.#refresh(signal);
      agentMetrics.observeRefresh('host', (clock.monotonic() - startedAt) / 1000);
    } catch (error) {
      if (signal.aborted) return;
      // What was asked for is asked for again once the daemon is back.
      if (isConnectionLost(error)) return;
      this.#fail(error);
      await clock.wait(RETRY_MS, signal).catch(() => undefined);
      this.#work.ring();
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const options = { signal, timeoutMs: CALL_TIMEOUT_MS };
    const { session } = this.#context;
    if (this.#mustList || this.#settings.clock.monotonic() - this.#sourcesReadAt >= HOURLY_MS) {
      await this.#readSources(signal);
    }
    if (this.#mustList) {
      // Before the call: what happens while it is under way is told by events.
      this.#mustList = false;
      this.#mustPoll = false;
      try {
        this.#table.markAll(await session.connectListAllDomains({}, options));
      } catch (error) {
        this.#mustList = true;
        throw error;
      }
    } else if (this.#mustPoll) {
      this.#mustPoll = false;
      const [listed, signs] = await Promise.all([session.connectListAllDomains({}, options), this.#readSigns(options)]);
      this.#table.compare(listed, signs);
    }
    await this.#readMarked(signal);
  }

  async #readMarked(signal: AbortSignal): Promise<void> {
    do {
      // The first time nothing is told before all is known: too few instances would be a lie.
      await this.#table.read(this.#sources.host, this.#isComplete ? TELL_MS : Infinity, signal);
      if (signal.aborted || this.#context.session.state.kind !== 'connected') return;
      this.#isComplete ||= !this.#table.hasReadable;
      this.#tell();
    } while (this.#table.hasReadable && !this.#mustList);
  }

  async #readSources(signal: AbortSignal): Promise<void> {
    const reading: HostReading = await readHostSources(this.#context.session, signal);
    const { host: before } = this.#sources;
    const { host = before } = reading.sources;
    this.#sources = { ...this.#sources, ...definedOf(reading.sources), host };
    // Where a guest lies was found out by the host's cells as they were.
    if (!isDeepStrictEqual(before, host)) this.#mustList = true;
    const { clock, pollMs } = this.#settings;
    // What failed is asked for again at the next poll.
    const nextMs = reading.failures.length === 0 ? HOURLY_MS : Math.min(pollMs, HOURLY_MS);
    this.#sourcesReadAt = clock.monotonic() - HOURLY_MS + nextMs;
    this.#connection = { ...this.#connection, failures: reading.failures };
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#context.logger.warn({ error }, 'the host cannot be read; trying again');
    this.#connection = { ...this.#connection, failures: [message] };
    // Once that is over, the sources are read again, which clears the failure.
    this.#sourcesReadAt = -Infinity;
    this.#tell();
  }

  #follow(overcommit: Readonly<Record<string, number>> | undefined): void {
    if (isDeepStrictEqual(overcommit, this.#overcommit)) return;
    this.#overcommit = overcommit;
    if (this.#isComplete) this.#tell();
  }

  #tell(): void {
    const { state } = this.#context.session;
    const session = state.kind === 'connected' ? state : this.#connection.session;
    const condition = connectionCondition({ ...this.#connection, session });
    const conditions = condition === undefined ? [] : [condition];
    if (!this.#isComplete) {
      // A connection that has just come up speaks for itself once the domains are known, in the same write.
      if (condition?.status === 'False') this.#context.board.state('host', { conditions });
      return;
    }
    const facts = hypervisorFacts({
      ...this.#sources,
      domains: this.#table.domains(),
      overcommit: this.#overcommit,
    });
    this.#notes.tell(facts.notes);
    this.#context.board.state('host', { fields: facts.fields, conditions });
  }
}

function definedOf(sources: HostSources): HostSources {
  return Object.fromEntries(Object.entries(sources).filter(([, value]) => value !== undefined));
}

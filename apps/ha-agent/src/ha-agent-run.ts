import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { ConditionStatement } from '@smalt/controller-runtime';
import {
  decideReport,
  reportedInstances,
  type MissedRecord,
  type ReportSettings,
  type TelemetryContent,
  type TelemetryEvent,
} from '@smalt/ha-telemetry';
import { isOutboxError, openOutbox, type Outbox, type OutboxNotice } from '@smalt/outbox';

import { Doorbell } from './doorbell.ts';
import { GuestPings } from './guest-pings.ts';
import type { HaAgentDeps } from './ha-agent-deps.ts';
import { haCondition, lockedCondition } from './ha-condition.ts';
import type { HaMetrics } from './ha-metrics.ts';
import { noticeOf } from './notice-of.ts';
import { Pusher } from './pusher.ts';
import { readInstances } from './read-instances.ts';
import { readUptime } from './read-uptime.ts';
import { ReportSettingsFile } from './report-settings-file.ts';
import { ServiceLink } from './service-link.ts';
import { watchDomainEvents } from './watch-domain-events.ts';

const EVENT_WITHIN_MS = 20;
const REPORT_WITHIN_MS = 500;
const INSTANCES_RETRY_MS = 5000;
const LAST_PUSH_MS = 2000;

/** One run of the agent, from its start until its signal fires. */
export class HaAgentRun implements AsyncDisposable {
  readonly #deps: HaAgentDeps;
  readonly #metrics: HaMetrics;
  readonly #resources = new AsyncDisposableStack();
  readonly #settings: ReportSettingsFile;
  readonly #uptimeBell = new Doorbell();
  readonly #instancesBell = new Doorbell();
  readonly #guestPings: GuestPings;
  readonly #startedAt: Date;
  #outbox: Outbox | undefined;
  #pusher: Pusher | undefined;
  #isWatching = false;
  #told: string | undefined;

  private constructor(deps: HaAgentDeps, metrics: HaMetrics) {
    this.#deps = deps;
    this.#metrics = metrics;
    this.#startedAt = deps.now();
    const { reportFile } = deps.settings;
    this.#settings = new ReportSettingsFile({
      path: reportFile,
      ignore: deps.ignore,
      onChange: () => this.#settingsChanged(),
    });
    const { session, ignore, now } = deps;
    const settings = (): ReportSettings => this.#settings.current;
    const onEvent = (event: TelemetryEvent): void => this.#eventCame(event);
    this.#guestPings = new GuestPings({ session, settings, metrics, ignore, now, onEvent });
  }

  /** Opens the queue, if there is a service to queue for, and reads the report settings. */
  static async start(deps: HaAgentDeps, metrics: HaMetrics, agent: string): Promise<HaAgentRun> {
    const run = new HaAgentRun(deps, metrics);
    metrics.settingsValid.cell([]).set(1);
    await run.#settings.load();
    try {
      if (deps.settings.service !== undefined) await run.#openQueue(deps.settings.service, agent);
    } catch (error) {
      await run[Symbol.asyncDispose]();
      if (isOutboxError(error, 'locked')) deps.status?.(lockedCondition(deps.nodeName, error.message));
      throw error;
    }
    run.#tellCondition();
    return run;
  }

  /** Whether events are told: from then on none is missed without a record that says so. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** Does everything until the signal fires, then tries for a short while to get rid of what is left. */
  async untilAborted(signal: AbortSignal): Promise<void> {
    const [stop, pushStop, deadline] = [new AbortController(), new AbortController(), new AbortController()];
    const begin = (): void => {
      stop.abort();
      setTimeout(() => deadline.abort(), LAST_PUSH_MS).unref();
    };
    signal.addEventListener('abort', begin, { once: true });
    if (signal.aborted) begin();
    const pushing = this.#pusher?.run(pushStop.signal, deadline.signal);
    try {
      await allOrNone(stop, [
        this.#watchEvents(stop.signal),
        this.#reportUptime(stop.signal),
        this.#reportInstances(stop.signal),
        this.#guestPings.run(stop.signal),
        this.#settings.follow(stop.signal),
        ...(pushing === undefined ? [] : [Promise.race([pushing, aborted(stop.signal)])]),
      ]);
      // What came last is on its way into the queue.
      await nextTurn();
    } finally {
      signal.removeEventListener('abort', begin);
      if (!signal.aborted) deadline.abort();
      pushStop.abort();
      await pushing;
    }
  }

  /** Sets the gauges that are cheaper to look up than to keep. */
  collect(): void {
    const state = this.#outbox?.state;
    const { queueRecords, queueBytes, queueOldest, queueDegraded, guestsSilent } = this.#metrics;
    guestsSilent.cell([]).set(this.#guestPings.silent);
    const oldestMs = state?.oldestAt === undefined ? 0 : this.#deps.now().getTime() - state.oldestAt;
    queueRecords.cell([]).set(state?.items ?? 0);
    queueBytes.cell([]).set(state?.bytes ?? 0);
    queueOldest.cell([]).set(Math.max(0, oldestMs / 1000));
    queueDegraded.cell([]).set(state?.degradedSince === undefined ? 0 : 1);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }

  async #openQueue(service: NonNullable<HaAgentDeps['settings']['service']>, agent: string): Promise<void> {
    const { stateDirectory, settings, nodeName, now, logger } = this.#deps;
    const outbox = await openOutbox({
      directory: join(stateDirectory, 'ha-outbox'),
      maxItems: settings.maxQueuedRecords,
      maxBytes: settings.maxQueuedBytes,
      now,
      onNotice: (notice) => this.#queueNoticed(notice),
    });
    this.#outbox = this.#resources.use(outbox);
    this.#pusher = new Pusher({
      outbox,
      link: this.#resources.use(new ServiceLink(service, nodeName, now)),
      head: { node: nodeName, agent },
      metrics: this.#metrics,
      logger,
      now,
      random: Math.random,
      onPushed: () => this.#tellCondition(),
    });
  }

  async #watchEvents(signal: AbortSignal): Promise<void> {
    const { session, logger, ignore } = this.#deps;
    const onEvent = (event: TelemetryEvent): void => {
      this.#guestPings.heard(event);
      this.#eventCame(event);
    };
    const onMissed = (missed: MissedRecord): void => this.#eventsMissed(missed);
    await watchDomainEvents({ session, logger, ignore, onEvent, onMissed }, signal);
  }

  #eventCame(event: TelemetryEvent): void {
    this.#metrics.events.cell([event.kind]).add();
    const notice = noticeOf(event);
    if (notice !== undefined) this.#deps.recorder?.(notice);
    const decision = decideReport(event, this.#settings.current, this.#time());
    if (decision.kind === 'report') this.#submit(decision.content, false);
    else this.#metrics.skipped.cell([decision.why]).add();
  }

  #eventsMissed(missed: MissedRecord): void {
    this.#isWatching = true;
    this.#metrics.events.cell([missed.kind]).add();
    this.#submit({ ...missed, time: this.#time() }, false);
    // Who may have missed something must know how it is now, and that libvirt is there.
    this.#instancesBell.ring(0);
    this.#guestPings.doubtAll();
    this.#uptimeBell.ring(0);
  }

  async #reportUptime(signal: AbortSignal): Promise<void> {
    const { procDirectory = '/proc', session, ignore } = this.#deps;
    this.#uptimeBell.ring(0);
    for (;;) {
      await this.#uptimeBell.wait(signal);
      if (signal.aborted) return;
      try {
        const uptime = await readUptime(procDirectory);
        this.#metrics.uptime.cell([]).set(uptime.uptimeSeconds);
        const libvirt = session.state.kind === 'connected' ? 'connected' : 'disconnected';
        const agentStartedAt = this.#startedAt.toISOString();
        this.#submit({ kind: 'uptime', ...uptime, agentStartedAt, libvirt, time: this.#time() }, true);
      } catch (error) {
        ignore(error, 'the uptime cannot be read, it is tried again');
      }
      this.#uptimeBell.ring(this.#settings.current.intervals.uptimeSeconds * 1000);
    }
  }

  async #reportInstances(signal: AbortSignal): Promise<void> {
    const { session, ignore } = this.#deps;
    for (;;) {
      await this.#instancesBell.wait(signal);
      if (signal.aborted) return;
      let pauseMs = this.#settings.current.intervals.instancesSeconds * 1000;
      try {
        const instances = await readInstances(session, signal);
        this.#countInstances(instances.map(({ state }) => state));
        const reported = reportedInstances(instances, this.#settings.current);
        this.#submit({ kind: 'instances', instances: reported, time: this.#time() }, true);
      } catch (error) {
        if (signal.aborted) return;
        ignore(error, 'the instances cannot be listed, it is tried again');
        pauseMs = Math.min(pauseMs, INSTANCES_RETRY_MS);
      }
      this.#instancesBell.ring(pauseMs);
    }
  }

  #countInstances(states: readonly string[]): void {
    const { instances } = this.#metrics;
    for (const { cell } of instances.cells()) cell.set(0);
    for (const state of states) instances.cell([state]).add();
  }

  #submit(content: TelemetryContent, isExpendable: boolean): void {
    const { logger } = this.#deps;
    this.#outbox?.append([{ body: JSON.stringify(content), isExpendable }]).then(
      () => this.#pusher?.ring(isExpendable ? REPORT_WITHIN_MS : EVENT_WITHIN_MS),
      (error: unknown) => {
        this.#metrics.dropped.cell(['not-queued']).add();
        logger.error({ error, kind: content.kind }, 'a record could not be put into the queue');
      },
    );
  }

  #queueNoticed(notice: OutboxNotice): void {
    const { logger } = this.#deps;
    switch (notice.kind) {
      case 'degraded':
        logger.error({ error: notice.error }, 'the queue cannot be written to disk, it is kept in memory');
        break;
      case 'recovered':
        logger.info({}, 'the queue is on disk again');
        break;
      case 'damaged':
        logger.error(
          { error: notice.error, movedTo: notice.movedTo },
          'the file of the queue is damaged, a new one begins',
        );
        this.#metrics.dropped.cell(['damaged']).add();
        break;
      case 'dropped':
        logger.warn({ records: notice.items }, 'the queue is full, the oldest records are dropped');
        this.#metrics.dropped.cell(['queue-full']).add(notice.items);
        break;
    }
    this.#tellCondition();
  }

  #settingsChanged(): void {
    const { trouble, current } = this.#settings;
    const { logger } = this.#deps;
    this.#metrics.settingsValid.cell([]).set(trouble === undefined ? 1 : 0);
    if (trouble === undefined) logger.info({ intervals: current.intervals }, 'the report settings are in use');
    else logger.error({ trouble }, 'the report settings cannot be used, the earlier ones stay');
    this.#uptimeBell.ring(current.intervals.uptimeSeconds * 1000);
    if (this.#isWatching) {
      this.#instancesBell.ring(current.intervals.instancesSeconds * 1000);
      this.#guestPings.settingsChanged();
    }
    this.#tellCondition();
  }

  #tellCondition(): void {
    const condition: ConditionStatement = haCondition({
      serviceUrl: this.#deps.settings.service?.url,
      hasDelivered: this.#pusher?.hasDelivered ?? false,
      outage: this.#pusher?.outage,
      waiting: this.#outbox?.state.items ?? 0,
      degradedSince: this.#outbox?.state.degradedSince,
      settingsTrouble: this.#settings.trouble,
    });
    const text = JSON.stringify(condition);
    if (text === this.#told) return;
    this.#told = text;
    this.#deps.status?.(condition);
  }

  #time(): string {
    return this.#deps.now().toISOString();
  }
}

/** Waits for all; when one fails, the others are stopped before its error is thrown. */
async function allOrNone(stop: AbortController, tasks: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.all(tasks);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(tasks);
    throw error;
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

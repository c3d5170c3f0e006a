import type { KubeClient } from '@smalt/kube';
import { untilAborted, type HealthRegistry, type Logger, type MetricsRegistry } from '@smalt/service-runtime';

import { systemClock, type Clock } from './clock.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { Controller, type ControllerOptions } from './controller.ts';
import { Informers } from './informers.ts';
import { LEASE_MS, LeaderElection, RENEW_DEADLINE_MS, type LeaderElectionOptions } from './leader-election.ts';
import { leaseKind } from './lease.ts';

const STOP_TIMEOUT_MS = 30_000;
/** Of the time that is left of a lost lease, what is kept for the end of the process itself. */
const MARGIN = 0.2;

export interface ControllerManagerOptions {
  readonly client: KubeClient;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  /** With it, controllers run in one process at a time; caches are kept in all, so that a new leader starts at once. */
  readonly leaderElection?: Omit<LeaderElectionOptions, 'clock' | 'onChange' | 'onFailure'> | undefined;
  /** How long reconciles that are under way may go on when everything stops. */
  readonly stopTimeoutMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The controllers of a process, with the caches they share. Add controllers, then `run`. */
export class ControllerManager {
  readonly informers: Informers;
  readonly #options: ControllerManagerOptions;
  readonly #clock: Clock;
  readonly #metrics: ControllerMetrics;
  readonly #stopTimeoutMs: number;
  readonly #controllers = new Map<string, Controller>();

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#stopTimeoutMs = options.stopTimeoutMs ?? STOP_TIMEOUT_MS;
    this.#metrics = new ControllerMetrics(options.metrics);
    this.informers = new Informers(options.client, {
      clock: this.#clock,
      onFailure: (error, delayMs) => options.logger.warn({ error, delayMs }, 'watch failed'),
    });
  }

  add(options: ControllerOptions): Controller {
    if (this.#controllers.has(options.name)) throw new TypeError(`there is a controller "${options.name}" already`);
    const counters = this.#metrics.forController(options.name, options.concurrency ?? 1);
    const controller = new Controller(options, { logger: this.#options.logger, counters, clock: this.#clock });
    this.#controllers.set(options.name, controller);
    return controller;
  }

  /**
   * Runs all controllers until the signal fires; caches stop last. Rejects when leadership is lost, because a process
   * that cannot be sure to be the only one must end, and when a reconcile does not stop in time.
   */
  async run(signal: AbortSignal): Promise<void> {
    using _check = this.#options.health.add({
      name: 'informers-synced',
      kinds: ['readyz'],
      check: () => this.#requireSynced(),
    });
    const failing = new AbortController();
    const stoppingCaches = new AbortController();
    const caches = this.informers.run(stoppingCaches.signal).catch((error: unknown) => failing.abort(error));
    const stopping = AbortSignal.any([signal, failing.signal]);
    try {
      if (this.#options.leaderElection === undefined) await this.#runControllers(stopping, () => this.#stopTimeoutMs);
      else await this.#runAsLeader(this.#options.leaderElection, stopping);
    } finally {
      stoppingCaches.abort(new Error('stopped'));
      await caches;
    }
    failing.signal.throwIfAborted();
  }

  #requireSynced(): void {
    const missing = this.informers.unsynced();
    if (missing.length > 0) throw new Error(`not synced: ${missing.join(', ')}`);
  }

  async #runAsLeader(
    options: Omit<LeaderElectionOptions, 'clock' | 'onChange' | 'onFailure'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { logger, metrics, client } = this.#options;
    const { name, namespace, identity, leaseMs = LEASE_MS, renewDeadlineMs = RENEW_DEADLINE_MS } = options;
    const family = { name: 'leader_election_master_status', help: 'Whether this process leads.', labelNames: ['name'] };
    const status = metrics.gauge(family).cell([name]);
    const election = new LeaderElection(client.resource(leaseKind), {
      ...options,
      clock: this.#clock,
      onChange: (isLeader) => {
        status.set(isLeader ? 1 : 0);
        logger.info({ lease: name, identity }, isLeader ? 'leading' : 'no longer leading');
      },
      onFailure: (error) => logger.warn({ error, lease: name }, 'leader election failed, trying again'),
    });
    // Who has lost the lease must have stopped before the next one starts; who is told to stop may finish what it does.
    const graceMs = (leaseMs - renewDeadlineMs) * (1 - MARGIN);
    const stopTimeoutMs = (): number => (signal.aborted ? this.#stopTimeoutMs : graceMs);
    const hasLed = await election.run((leading) => this.#runControllers(leading, stopTimeoutMs), signal);
    if (hasLed && !signal.aborted) throw new Error(`lost the lease ${namespace}/${name}`);
  }

  async #runControllers(signal: AbortSignal, stopTimeoutMs: () => number): Promise<void> {
    const controllers = [...this.#controllers.values()];
    const overdue = Promise.withResolvers<never>();
    const fail = (): void => {
      const late = controllers.filter(({ isIdle }) => !isIdle).map(({ name }) => name);
      overdue.reject(new Error(`reconciles did not stop in time: ${late.join(', ')}`));
    };
    using cleanUp = new DisposableStack();
    const onAbort = (): void => cleanUp.defer(this.#clock.later(stopTimeoutMs(), fail));
    signal.addEventListener('abort', onAbort, { once: true });
    cleanUp.defer(() => signal.removeEventListener('abort', onAbort));
    const running = controllers.map((controller) => controller.run(signal));
    await Promise.race([Promise.all([untilAborted(signal), ...running]), overdue.promise]);
  }
}

import type { KubeClient } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import { systemClock, type Clock } from './clock.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { Controller, type ControllerOptions } from './controller.ts';
import { Informers } from './informers.ts';
import { LEASE_MS, LeaderElection, RENEW_DEADLINE_MS, type LeaderElectionOptions } from './leader-election.ts';

const STOP_TIMEOUT_MS = 30_000;

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
  readonly #controllers: Controller[] = [];

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#stopTimeoutMs = options.stopTimeoutMs ?? STOP_TIMEOUT_MS;
    this.#metrics = new ControllerMetrics(options.metrics);
    this.informers = new Informers(options.client, {
      clock: this.#clock,
      onFailure: (error, delayMs) => options.logger.warn({ err: error, delayMs }, 'watch failed'),
    });
  }

  add(controller: ControllerOptions): Controller {
    const counters = this.#metrics.forController(controller.name, controller.concurrency ?? 1);
    const logger = this.#options.logger;
    const added = new Controller(controller, { logger, counters, clock: this.#clock });
    this.#controllers.push(added);
    return added;
  }

  /**
   * Runs all controllers until the signal fires; caches stop last. Rejects when leadership is lost: a process that
   * cannot be sure to be the only one must end.
   */
  async run(signal: AbortSignal): Promise<void> {
    using _check = this.#options.health.add({
      name: 'informers-synced',
      kinds: ['readyz'],
      check: () => this.#requireSynced(),
    });
    const stoppingCaches = new AbortController();
    const caches = this.informers.run(stoppingCaches.signal);
    try {
      if (this.#options.leaderElection === undefined) await this.#runControllers(signal, () => this.#stopTimeoutMs);
      else await this.#runAsLeader(this.#options.leaderElection, signal);
    } finally {
      stoppingCaches.abort(new Error('stopped'));
      await caches;
    }
  }

  #requireSynced(): void {
    const missing = this.informers.unsynced();
    if (missing.length > 0) throw new Error(`not synced: ${missing.join(', ')}`);
  }

  async #runAsLeader(options: Omit<LeaderElectionOptions, 'clock'>, signal: AbortSignal): Promise<void> {
    const { logger, metrics, client } = this.#options;
    const status = metrics.gauge({
      name: 'leader_election_master_status',
      help: 'Whether this process is the leader.',
      labelNames: ['name'],
    });
    const election = new LeaderElection(client, {
      ...options,
      clock: this.#clock,
      onChange: (isLeader) => {
        status.cell([options.name]).set(isLeader ? 1 : 0);
        logger.info({ lease: options.name, identity: options.identity }, isLeader ? 'leading' : 'no longer leading');
      },
      onFailure: (error) => logger.warn({ err: error, lease: options.name }, 'leader election failed, trying again'),
    });
    status.cell([options.name]).set(0);
    // Who has lost the lease must have stopped before the next one starts; who is told to stop may finish what it does.
    const graceMs = (options.leaseMs ?? LEASE_MS) - (options.renewDeadlineMs ?? RENEW_DEADLINE_MS);
    const stopTimeoutMs = (): number => (signal.aborted ? this.#stopTimeoutMs : graceMs);
    const hasLed = await election.run((leading) => this.#runControllers(leading, stopTimeoutMs), signal);
    if (hasLed && !signal.aborted) throw new Error(`lost the lease ${options.namespace}/${options.name}`);
  }

  async #runControllers(signal: AbortSignal, stopTimeoutMs: () => number): Promise<void> {
    const running = Promise.all(this.#controllers.map((controller) => this.#runController(controller, signal)));
    const stopped = Promise.withResolvers<void>();
    const onAbort = (): void => void this.#clock.later(stopTimeoutMs(), stopped.resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([running, stopped.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #runController(controller: Controller, signal: AbortSignal): Promise<void> {
    try {
      await controller.run(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

import type { MetricsRegistry } from '@smalt/service-runtime';

import type { ObjectKey } from './object-key.ts';
import type { QueueObserver } from './work-queue.ts';

const RECONCILE_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000];
/** All keys have the same; the label is that of a queue that knows others. */
const PRIORITY = '0';
const RESULTS = ['success', 'error', 'requeue', 'requeue_after'] as const;

export type ReconcileResult = (typeof RESULTS)[number];

/** What one controller counts. */
export interface ControllerCounters {
  readonly queue: QueueObserver<ObjectKey>;
  reconcileStarted(): void;
  reconcileEnded(result: ReconcileResult, durationMs: number): void;
  reconcileTimedOut(): void;
  watchQueue(queue: { readonly depth: number; workingMs(): readonly number[] }): void;
}

/** The metrics of all controllers of a process, under the names that dashboards for Go's controller-runtime look for. */
export class ControllerMetrics {
  readonly #registry: MetricsRegistry;
  readonly #families;

  constructor(registry: MetricsRegistry) {
    this.#registry = registry;
    this.#families = { ...reconcileFamilies(registry), ...queueFamilies(registry) };
  }

  /** The counters of one controller; all its series are there from the start, at zero. */
  forController(controller: string, concurrency: number): ControllerCounters {
    const families = this.#families;
    const results = Object.fromEntries(RESULTS.map((result) => [result, families.total.cell([controller, result])]));
    const errors = families.errors.cell([controller]);
    const timeouts = families.timeouts.cell([controller]);
    // There are neither of these here: to throw is always to try again. Dashboards look for them all the same.
    for (const never of [families.terminal, families.panics]) never.cell([controller]);
    const time = families.time.cell([controller]);
    const active = families.active.cell([controller]);
    families.max.cell([controller]).set(concurrency);
    return {
      queue: this.#queueObserver(controller),
      reconcileStarted: () => active.add(),
      reconcileEnded: (result, durationMs) => {
        active.add(-1);
        results[result]?.add();
        if (result === 'error') errors.add();
        time.observe(durationMs / 1000);
      },
      reconcileTimedOut: () => timeouts.add(),
      watchQueue: (queue) => this.#watchQueue(controller, queue),
    };
  }

  #queueObserver(name: string): QueueObserver<ObjectKey> {
    const families = this.#families;
    const labels = [name, name];
    const [adds, retries] = [families.adds.cell(labels), families.retries.cell(labels)];
    const [waited, worked] = [families.waited.cell(labels), families.worked.cell(labels)];
    return {
      added: () => adds.add(),
      taken: (_key, waitedMs) => waited.observe(waitedMs / 1000),
      finished: (_key, workedMs) => worked.observe(workedMs / 1000),
      retried: () => retries.add(),
    };
  }

  #watchQueue(name: string, queue: { readonly depth: number; workingMs(): readonly number[] }): void {
    const labels = [name, name];
    const { depth, unfinished, longest } = this.#families;
    this.#registry.onCollect(() => {
      const working = queue.workingMs();
      depth.cell([...labels, PRIORITY]).set(queue.depth);
      unfinished.cell(labels).set(working.reduce((sum, each) => sum + each, 0) / 1000);
      longest.cell(labels).set(Math.max(0, ...working) / 1000);
    });
  }
}

function reconcileFamilies(registry: MetricsRegistry) {
  const labelNames = ['controller'];
  const named = (name: string, help: string) => ({ name: `controller_runtime_${name}`, help, labelNames });
  const counter = (name: string, help: string) => registry.counter(named(name, help));
  const gauge = (name: string, help: string) => registry.gauge(named(name, help));
  return {
    total: registry.counter({
      ...named('reconcile_total', 'Reconciles by controller and result.'),
      labelNames: ['controller', 'result'],
    }),
    errors: counter('reconcile_errors_total', 'Reconciles that failed.'),
    terminal: counter('terminal_reconcile_errors_total', 'Always zero.'),
    panics: counter('reconcile_panics_total', 'Always zero.'),
    timeouts: counter('reconcile_timeouts_total', 'Reconciles that took too long.'),
    time: registry.histogram({
      ...named('reconcile_time_seconds', 'How long reconciles take.'),
      buckets: RECONCILE_BUCKETS,
    }),
    max: gauge('max_concurrent_reconciles', 'How many reconciles may run at a time.'),
    active: gauge('active_workers', 'How many reconciles run now.'),
  };
}

function queueFamilies(registry: MetricsRegistry) {
  const labelNames = ['name', 'controller'];
  const gauge = (name: string, help: string, ...more: string[]) =>
    registry.gauge({ name: `workqueue_${name}`, help, labelNames: [...labelNames, ...more] });
  const counter = (name: string, help: string) => registry.counter({ name: `workqueue_${name}`, help, labelNames });
  const histogram = (name: string, help: string) =>
    registry.histogram({ name: `workqueue_${name}`, help, labelNames, buckets: QUEUE_BUCKETS });
  return {
    depth: gauge('depth', 'How many keys wait.', 'priority'),
    adds: counter('adds_total', 'Keys that were added.'),
    retries: counter('retries_total', 'Keys that were added again after a failure.'),
    waited: histogram('queue_duration_seconds', 'How long keys wait.'),
    worked: histogram('work_duration_seconds', 'How long keys are worked on.'),
    unfinished: gauge('unfinished_work_seconds', 'How long all keys that are worked on have been, together.'),
    longest: gauge('longest_running_processor_seconds', 'How long the key has been that was taken first.'),
  };
}

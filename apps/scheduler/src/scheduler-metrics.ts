import type { MetricsRegistry } from '@smalt/service-runtime';

const PROFILE = 'default-scheduler';

/** What became of one look at a pod. */
export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';

/** The metrics of the scheduler, under the names that dashboards of kube-scheduler know. */
export interface SchedulerMetrics {
  attempted(result: AttemptResult, seconds: number): void;
  /** Asks for the number of pods that fit nowhere when somebody looks. */
  watchWaiting(count: () => number): void;
}

export function createSchedulerMetrics(metrics: MetricsRegistry): SchedulerMetrics {
  const labelNames = ['result', 'profile'];
  const attempts = metrics.counter({
    name: 'scheduler_schedule_attempts_total',
    help: 'Attempts to give a pod a node, by the result.',
    labelNames,
  });
  const durations = metrics.histogram({
    name: 'scheduler_scheduling_attempt_duration_seconds',
    help: 'How long an attempt took, the write included.',
    labelNames,
    buckets: [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096],
  });
  const pending = metrics.gauge({
    name: 'scheduler_pending_pods',
    help: 'Pods that wait for something to change because they fit nowhere.',
    labelNames: ['queue'],
  });
  return {
    attempted: (result, seconds) => {
      attempts.cell([result, PROFILE]).add();
      durations.cell([result, PROFILE]).observe(seconds);
    },
    watchWaiting: (count) => metrics.onCollect(() => pending.cell(['unschedulable']).set(count())),
  };
}

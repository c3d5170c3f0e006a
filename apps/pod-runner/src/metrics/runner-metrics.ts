import type { MetricsRegistry } from '@smalt/service-runtime';

const START_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What a pod runner counts. */
export interface RunnerMetrics {
  countStart(result: 'started' | 'failed', milliseconds: number | undefined): void;
  countStatusWrite(): void;
  countPartFailure(part: string): void;
  setHeartbeat(secondsSince1970: number): void;
}

/** What is counted when somebody asks. */
export interface RunnerCounts {
  readonly podCount: () => number;
  readonly givenProcessorCount: () => number;
}

/** Adds the metrics of a pod runner. Once per registry. */
export function addRunnerMetrics(metrics: MetricsRegistry, counts: RunnerCounts): RunnerMetrics {
  addGauges(metrics, counts);
  const starts = metrics.counter({
    name: 'smalt_pod_runner_starts_total',
    help: 'Attempts to start a pod, by how they ended.',
    labelNames: ['result'],
  });
  const seconds = metrics.histogram({
    name: 'smalt_pod_runner_start_seconds',
    help: 'How long it took to bring the volumes of a pod here and to start its launcher.',
    buckets: START_BUCKETS,
  });
  const writes = metrics.counter({
    name: 'smalt_pod_runner_status_writes_total',
    help: 'Writes of the status of pods.',
  });
  const parts = metrics.counter({
    name: 'smalt_pod_runner_part_failures_total',
    help: 'How often a part of the runner failed and was started again.',
    labelNames: ['part'],
  });
  const heartbeat = metrics.gauge({
    name: 'smalt_pod_runner_heartbeat_timestamp_seconds',
    help: 'When the Lease of the node was renewed last.',
  });
  return {
    countStart: (result, milliseconds) => {
      starts.cell([result]).add();
      if (milliseconds !== undefined) seconds.cell([]).observe(milliseconds / 1000);
    },
    countStatusWrite: () => writes.cell([]).add(),
    countPartFailure: (part) => parts.cell([part]).add(),
    setHeartbeat: (secondsSince1970) => heartbeat.cell([]).set(secondsSince1970),
  };
}

function addGauges(metrics: MetricsRegistry, { podCount, givenProcessorCount }: RunnerCounts): void {
  const pods = metrics.gauge({ name: 'smalt_pod_runner_pods', help: 'Pods that were started and not removed.' });
  const processors = metrics.gauge({
    name: 'smalt_pod_runner_own_processors',
    help: 'Processors that pods have to themselves.',
  });
  metrics.onCollect(() => {
    pods.cell([]).set(podCount());
    processors.cell([]).set(givenProcessorCount());
  });
}

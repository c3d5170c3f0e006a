import type { MetricsRegistry } from '@smalt/service-runtime';

/** A pod runner at work. Disposing of it stops it; what it has started runs on, and the next one finds it. */
export interface PodRunner extends AsyncDisposable {
  readonly metrics: MetricsRegistry;
  /** Resolves when it has stopped, and rejects when it cannot go on. */
  readonly ended: Promise<void>;
}

import { addProcessMetrics, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';

import type { AuditLog } from '../audit/audit-log.ts';
import type { Store } from '../store/store.ts';

export interface Observed {
  readonly store: Pick<Store, 'resources' | 'count' | 'resourceVersion' | 'checkWritable'>;
  readonly audit: Pick<AuditLog, 'dropped'>;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** What tells how the server is. */
export interface Observation {
  readonly health: HealthRegistry;
  readonly metrics: MetricsRegistry;
}

/** Makes the health checks and the metrics of a server. */
export function observeServer(observed: Observed): Observation {
  const health = new HealthRegistry();
  // A server that stops is alive still, but new requests should go elsewhere.
  health.add({ name: 'shutdown', kinds: ['readyz'], check: () => checkRunning(observed.stopping) });
  health.add({ name: 'store', kinds: ['readyz'], check: () => observed.store.checkWritable() });
  const metrics = new MetricsRegistry();
  addProcessMetrics(metrics);
  addStoreMetrics(metrics, observed);
  return { health, metrics };
}

function checkRunning(stopping: AbortSignal): void {
  if (stopping.aborted) throw new Error('process is shutting down');
}

function addStoreMetrics(metrics: MetricsRegistry, { store, audit }: Observed): void {
  const name = 'apiserver_storage_objects';
  const objects = metrics.gauge({ name, help: 'Stored objects by resource.', labelNames: ['resource'] });
  const revision = metrics.gauge({ name: 'apiserver_storage_resource_version', help: 'The newest resourceVersion.' });
  const dropped = metrics.gauge({
    name: 'apiserver_audit_dropped_events',
    help: 'Audit events that were not written.',
  });
  let known: readonly string[] = [];
  metrics.onCollect(() => {
    const current = store.resources();
    for (const resource of known) if (!current.includes(resource)) objects.remove([resource]);
    for (const resource of current) objects.cell([resource]).set(store.count(resource));
    known = current;
    revision.cell([]).set(store.resourceVersion);
    dropped.cell([]).set(audit.dropped);
  });
}

import type { RebuildState } from '@smalt/failure-detection';

import type { RebuildRow } from '../store/durable-ha-store.ts';
import { timeOf } from './shown-time.ts';

/** The words that Masakari has for what becomes of an instance. */
function vmoveStatus(state: RebuildState): 'pending' | 'ongoing' | 'ignored' | 'failed' | 'succeeded' {
  switch (state) {
    case 'pending':
      return 'pending';
    case 'asked':
      return 'ongoing';
    case 'rebuilt':
      return 'succeeded';
    case 'failed':
      return 'failed';
    // Somebody else has taken it away, or its owner does not want it rebuilt: neither is a failure.
    case 'gone':
    case 'skipped':
      return 'ignored';
  }
}

/** One instance of one incident. */
export function vmoveView(row: RebuildRow): Readonly<Record<string, unknown>> {
  return {
    incidentId: row.incidentId,
    instanceId: row.id,
    instanceName: row.name,
    sourceHost: row.host,
    type: 'evacuation',
    priority: row.priority,
    status: vmoveStatus(row.state),
    state: row.state,
    attempts: row.attempts,
    targetHost: row.target ?? null,
    startedAt: timeOf(row.startedAt),
    endedAt: timeOf(row.endedAt),
    evacuationId: row.evacuationId ?? null,
    message: row.message,
  };
}

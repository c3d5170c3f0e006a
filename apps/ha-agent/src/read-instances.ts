import type { TelemetryInstance } from '@smalt/ha-telemetry';
import { DomainState, DomainStatsTypes, isUnsupported } from '@smalt/libvirt';

import type { HaAgentDeps } from './ha-agent-deps.ts';
import { telemetryDomain } from './telemetry-event-of.ts';
import { wordOf } from './word-of.ts';

const TIMEOUT_MS = 10_000;

/** All domains of the host with their states, by one call however many there are. */
export async function readInstances(
  session: Pick<HaAgentDeps['session'], 'connectGetAllDomainStats' | 'connectListAllDomains'>,
  signal: AbortSignal,
): Promise<readonly TelemetryInstance[]> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  try {
    const records = await session.connectGetAllDomainStats({ stats: DomainStatsTypes.state }, options);
    return records.map(({ domain, params }) => ({
      ...telemetryDomain(domain),
      state: wordOf(DomainState, params['state.state'] ?? DomainState.noState),
    }));
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
  const domains = await session.connectListAllDomains({}, options);
  return domains.map((domain) => ({ ...telemetryDomain(domain), state: domain.id >= 0 ? 'active' : 'inactive' }));
}

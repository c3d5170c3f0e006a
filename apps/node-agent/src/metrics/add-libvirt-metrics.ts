import { setImmediate } from 'node:timers/promises';

import {
  ConnectGetAllDomainStatsFlags,
  DomainStatsTypes,
  isLibvirtError,
  type DomainStatsRecord,
  type LibvirtSession,
} from '@smalt/libvirt';
import { metricHeader, metricLine } from '@smalt/service-runtime';

import type { AgentContext } from '../agent-context.ts';
import { domainMetricsText, listedDomains } from './domain-metrics-text.ts';

const STATISTICS =
  DomainStatsTypes.state |
  DomainStatsTypes.cpuTotal |
  DomainStatsTypes.balloon |
  DomainStatsTypes.vcpu |
  DomainStatsTypes.interface |
  DomainStatsTypes.block;

const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_SERIES = 200_000;

export interface LibvirtMetricsSettings {
  /** How long the daemon may take; after that the scrape answers without it. */
  readonly timeoutMs?: number;
  /** About how many series one scrape may have at most. */
  readonly maxSeries?: number;
}

type MetricsContext = Pick<AgentContext, 'metrics' | 'ignore'> & {
  readonly session: Pick<LibvirtSession, 'connectGetAllDomainStats' | 'state'>;
};

/**
 * Adds the names that users of a libvirt exporter graph. They are asked for at every scrape, by one call for all
 * domains, and not kept; scrapes at the same time share it. Without an answer `libvirt_up` is 0, the rest stays away.
 */
export function addLibvirtMetrics(context: MetricsContext, settings: LibvirtMetricsSettings = {}): void {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxSeries = DEFAULT_MAX_SERIES } = settings;
  const readStatistics = statisticsReader(context.session, timeoutMs);
  let underWay: Promise<readonly DomainStatsRecord[] | undefined> | undefined;
  const read = async (): Promise<readonly DomainStatsRecord[] | undefined> => {
    // A call would wait for the daemon to come back, and Prometheus with it.
    if (context.session.state.kind !== 'connected') return undefined;
    try {
      return await readStatistics();
    } catch (error) {
      context.ignore(error, 'libvirt_up tells that the statistics could not be had');
      return undefined;
    }
  };
  context.metrics.onScrape(async function* (signal) {
    underWay ??= read().finally(() => (underWay = undefined));
    yield* piecesOf(await underWay, maxSeries, signal);
  });
}

async function* piecesOf(
  records: readonly DomainStatsRecord[] | undefined,
  maxSeries: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  yield gauge('libvirt_up', 'Whether the daemon told the statistics of its domains.', records === undefined ? 0 : 1);
  if (records === undefined) return;
  const listed = listedDomains(records, maxSeries);
  yield gauge('libvirt_domains', 'Number of domains that run.', records.length);
  yield gauge(
    'smalt_agent_unlisted_domains',
    'Running domains that are left out because there would be too many series.',
    records.length - listed.length,
  );
  for (const piece of domainMetricsText(listed)) {
    yield piece;
    // Events of domains must not wait until a long text is written.
    await setImmediate(undefined, { signal });
  }
}

function statisticsReader(
  session: MetricsContext['session'],
  timeoutMs: number,
): () => Promise<readonly DomainStatsRecord[]> {
  let extra: number = ConnectGetAllDomainStatsFlags.nowait;
  const read = (): Promise<readonly DomainStatsRecord[]> =>
    session.connectGetAllDomainStats(
      { domains: [], stats: STATISTICS, flags: ConnectGetAllDomainStatsFlags.active | extra },
      { timeoutMs },
    );
  return async () => {
    try {
      return await read();
    } catch (error) {
      // Not every driver knows how to skip a domain that is busy with something else.
      if (extra === 0 || !isLibvirtError(error, 'invalid-arg')) throw error;
      extra = 0;
      return read();
    }
  };
}

function gauge(name: string, help: string, value: number): string {
  return `${metricHeader('gauge', name, help)}\n${metricLine(name, '', value)}\n`;
}

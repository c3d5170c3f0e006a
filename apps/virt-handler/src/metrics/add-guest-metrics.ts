import type { DomainStatsRecord } from '@smalt/libvirt';
import { metricHeader, metricLabels, metricLine, type Ignore, type MetricsRegistry } from '@smalt/service-runtime';

import { guestMetricsText } from './guest-metrics-text.ts';
import { readStatistics, type StatisticsSession } from './read-statistics.ts';

export interface GuestMetricsDeps {
  readonly nodeName: string;
  readonly sessions: readonly StatisticsSession[];
  readonly metrics: MetricsRegistry;
  readonly ignore: Ignore;
}

/** Adds what guests use. It is asked for at every scrape, by one call to each libvirt for all its guests, and not kept. */
export function addGuestMetrics({ nodeName, sessions, metrics, ignore }: GuestMetricsDeps): void {
  let underWay: Promise<readonly (readonly DomainStatsRecord[] | undefined)[]> | undefined;
  const read = async (session: StatisticsSession): Promise<readonly DomainStatsRecord[] | undefined> => {
    // A call would wait for the daemon to come back, and Prometheus with it.
    if (session.state.kind !== 'connected') return undefined;
    try {
      return await readStatistics(session);
    } catch (error) {
      ignore(error, 'smalt_virt_handler_libvirt_up tells that the statistics of guests could not be had');
      return undefined;
    }
  };
  metrics.onScrape(async function* () {
    underWay ??= Promise.all(sessions.map(read)).finally(() => (underWay = undefined));
    const answers = await underWay;
    yield upText(sessions, answers);
    yield* guestMetricsText(
      nodeName,
      answers.flatMap((records) => records ?? []),
    );
  });
}

function upText(sessions: readonly StatisticsSession[], answers: readonly unknown[]): string {
  const name = 'smalt_virt_handler_libvirt_up';
  const header = metricHeader('gauge', name, 'Whether a libvirt of this node told the statistics of its guests.');
  const lines = sessions.map(({ uri }, index) =>
    metricLine(name, metricLabels(['uri'], [uri]), answers[index] === undefined ? 0 : 1),
  );
  return `${[header, ...lines].join('\n')}\n`;
}

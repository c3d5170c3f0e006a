import { setImmediate } from 'node:timers/promises';

import type { MetricsRegistry } from '@smalt/service-runtime';

import { switchMetricsText, type SwitchView } from './switch-metrics-text.ts';

/** Adds what is known of the switch to the metrics. Returns what is to be told of each judgement. */
export function addSwitchMetrics(metrics: MetricsRegistry): (view: SwitchView) => void {
  let latest: SwitchView | undefined;
  metrics.onScrape(async function* (signal) {
    if (latest === undefined) return;
    for (const piece of switchMetricsText(latest)) {
      yield piece;
      // What happens to the switch must not wait until a long text is written.
      await setImmediate(undefined, { signal });
    }
  });
  return (view) => {
    latest = view;
  };
}

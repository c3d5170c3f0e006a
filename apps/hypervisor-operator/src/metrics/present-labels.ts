import { metricLabels } from '@smalt/service-runtime';

const SPECIAL = /["\\\n]/;

/** Labels as they stand between the braces, without those that have no value: to Prometheus they are the same. */
export function presentLabels(labels: Readonly<Record<string, string | undefined>>): string {
  let text = '';
  // A large fleet has a hundred thousand of these at each scrape: no lists in between, and few values need an escape.
  for (const name in labels) {
    const value = labels[name];
    if (value === undefined || value === '') continue;
    const label = SPECIAL.test(value) ? metricLabels([name], [value]) : `${name}="${value}"`;
    text = text === '' ? label : `${text},${label}`;
  }
  return text;
}

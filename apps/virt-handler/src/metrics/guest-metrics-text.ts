import type { TypedParameters } from '@smalt/libvirt';
import { metricHeader, metricLabels, metricLine } from '@smalt/service-runtime';

import { GUEST_METRICS, numberAt, type GuestMetric, type GuestMetricGroup } from './guest-metric-table.ts';

/** What libvirt tells of one domain. */
export interface DomainStatistics {
  readonly domain: { readonly name: string };
  readonly params: TypedParameters;
}

/** A guest, or one of its processors, disks or interfaces: where its statistics begin, and its labels. */
interface Subject {
  readonly statistics: TypedParameters;
  readonly prefix: string;
  readonly labels: string;
}

/** Prints the statistics of our guests for Prometheus, one family at a time; domains of others are left out. */
export function* guestMetricsText(nodeName: string, domains: readonly DomainStatistics[]): Generator<string, void> {
  for (const group of GUEST_METRICS) {
    const subjects = domains.flatMap((domain) => subjectsOf(group, nodeName, domain));
    for (const metric of group.metrics) {
      const lines = subjects.flatMap((subject) => lineOf(metric, subject));
      if (lines.length > 0) yield `${[metricHeader(metric.kind, metric.name, metric.help), ...lines].join('\n')}\n`;
    }
  }
}

function lineOf({ name, read }: GuestMetric, { statistics, prefix, labels }: Subject): readonly string[] {
  const value = read(statistics, prefix);
  return value === undefined ? [] : [metricLine(name, labels, value)];
}

function subjectsOf(
  { of, label }: GuestMetricGroup,
  nodeName: string,
  { domain, params }: DomainStatistics,
): readonly Subject[] {
  // Names of objects have no underscore, so the first one ends the namespace.
  const place = domain.name.indexOf('_');
  if (place <= 0) return [];
  const owner = [nodeName, domain.name.slice(0, place), domain.name.slice(place + 1)];
  const names = ['node', 'namespace', 'name', ...(label === undefined ? [] : [label])];
  const subject = (prefix: string, part: string): Subject => ({
    statistics: params,
    prefix,
    labels: metricLabels(names, label === undefined ? owner : [...owner, part]),
  });
  switch (of) {
    case 'domain':
      return [subject('', '')];
    case 'vcpu':
      return prefixes(params, of, 'vcpu.maximum').map((prefix, index) => subject(prefix, String(index)));
    case 'block':
    case 'net':
      return prefixes(params, of, `${of}.count`).flatMap((prefix) => {
        const part = params[`${prefix}name`];
        // An interface without a device on the node has no name, and nothing is counted for it.
        return typeof part === 'string' ? [subject(prefix, part)] : [];
      });
  }
}

function prefixes(statistics: TypedParameters, of: string, count: string): readonly string[] {
  // Whatever libvirt says the count is, there cannot be more of them than there are statistics.
  const length = Math.min(numberAt(statistics, count) ?? 0, Object.keys(statistics).length);
  return Array.from({ length: Math.max(0, length) }, (_, index) => `${of}.${index}.`);
}

import type { TypedParameters } from '@smalt/libvirt';
import { metricHeader, metricLabels, metricLine } from '@smalt/service-runtime';

import { LIBVIRT_METRICS, type LibvirtMetric, type LibvirtMetricGroup } from './libvirt-metrics.ts';
import { numberAt } from './metric-reading.ts';

const PIECE_CHARACTERS = 32_768;

/** What libvirt tells of one domain. */
export interface DomainStatistics {
  readonly domain: { readonly name: string; readonly uuid: string };
  readonly params: TypedParameters;
}

/** A domain, or one of its vCPUs, disks or interfaces: where its statistics begin, and its labels. */
interface MetricSubject {
  readonly statistics: TypedParameters;
  readonly prefix: string;
  readonly labels: string;
}

/**
 * Prints the statistics of domains for Prometheus, piece by piece: a thousand domains are ten megabytes, and whoever
 * runs this has other things to do in between.
 */
export function* domainMetricsText(domains: readonly DomainStatistics[]): Generator<string, void> {
  let piece = '';
  for (const line of allLines(domains)) {
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/**
 * Those domains that there is room for when there may be about so many series. Always the same ones are left out: those
 * last by name.
 */
export function listedDomains<T extends DomainStatistics>(domains: readonly T[], maxSeries: number): readonly T[] {
  const sorted = domains.toSorted((a, b) => compare(a.domain.name, b.domain.name));
  let series = 0;
  return sorted.filter(({ params }) => {
    const hasRoom = series < maxSeries;
    series += Object.keys(params).length;
    return hasRoom;
  });
}

function* allLines(domains: readonly DomainStatistics[]): Generator<string, void> {
  for (const group of LIBVIRT_METRICS) {
    const subjects = domains.flatMap((domain) => subjectsOf(group, domain));
    for (const metric of group.metrics) yield* linesOf(metric, subjects);
  }
}

function* linesOf(metric: LibvirtMetric, subjects: readonly MetricSubject[]): Generator<string, void> {
  let hasHeader = false;
  for (const { statistics, prefix, labels } of subjects) {
    const value = metric.read(statistics, prefix);
    if (value === undefined) continue;
    if (!hasHeader) yield `${metricHeader(metric.kind, metric.name, metric.help)}\n`;
    hasHeader = true;
    yield `${metricLine(metric.name, labels, value)}\n`;
  }
}

function subjectsOf(group: LibvirtMetricGroup, { domain, params }: DomainStatistics): readonly MetricSubject[] {
  const { of, label } = group;
  const names = label === undefined ? ['domain', 'uuid'] : ['domain', 'uuid', label];
  const subject = (prefix: string, name: string): MetricSubject => {
    return { statistics: params, prefix, labels: metricLabels(names, [domain.name, domain.uuid, name]) };
  };
  switch (of) {
    case 'domain':
      return [subject('', '')];
    case 'vcpu':
      return prefixes(params, of, 'vcpu.maximum').map((prefix, index) => subject(prefix, String(index)));
    case 'block':
    case 'net':
      return prefixes(params, of, `${of}.count`).flatMap((prefix) => {
        const name = params[`${prefix}name`];
        // An interface without a device on the host has no name, and nothing is counted for it.
        return typeof name === 'string' ? [subject(prefix, name)] : [];
      });
  }
}

function prefixes(statistics: TypedParameters, of: string, count: string): readonly string[] {
  // Whatever the daemon says the count is, there cannot be more of them than there are statistics.
  const length = Math.min(numberAt(statistics, count) ?? 0, Object.keys(statistics).length);
  return Array.from({ length: Math.max(0, length) }, (_, index) => `${of}.${index}.`);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

import { matchesPattern } from './matches-pattern.ts';
import type { ReportSettings } from './report-settings.ts';
import { telemetryLimits } from './telemetry-limits.ts';
import type { TelemetryContent, TelemetryDomain, TelemetryEvent, TelemetryInstance } from './telemetry-record.ts';

export type ReportDecision =
  | { readonly kind: 'report'; readonly content: TelemetryContent }
  | { readonly kind: 'skip'; readonly why: 'kind' | 'detail' | 'domain' };

/** Decides whether an event is told to the service. What is told keeps to the limits. */
export function decideReport(event: TelemetryEvent, settings: ReportSettings, time: string): ReportDecision {
  const { isReported, only, except } = settings.events[event.kind];
  if (!isReported) return { kind: 'skip', why: 'kind' };
  if (event.kind === 'lifecycle') {
    const names = [event.event, `${event.event}/${event.detail}`];
    const isIn = (filters: readonly string[]): boolean => filters.some((filter) => names.includes(filter));
    if ((only.length > 0 && !isIn(only)) || isIn(except)) return { kind: 'skip', why: 'detail' };
  }
  if (!isReportedDomain(event.domain.name, settings)) return { kind: 'skip', why: 'domain' };
  return { kind: 'report', content: { ...clipped(event), time } };
}

/** The instances that the settings let through, as many as one report may have. */
export function reportedInstances(
  instances: readonly TelemetryInstance[],
  settings: ReportSettings,
): readonly TelemetryInstance[] {
  return instances
    .filter(({ name }) => isReportedDomain(name, settings))
    .slice(0, telemetryLimits.instances)
    .map((instance) => ({ ...instance, ...clippedDomain(instance) }));
}

/** Whether the settings let anything be told of a domain. */
export function isReportedDomain(name: string, { domains }: ReportSettings): boolean {
  const isIn = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchesPattern(name, pattern));
  return isIn(domains.include) && !isIn(domains.exclude);
}

function clipped(event: TelemetryEvent): TelemetryEvent {
  const domain = clippedDomain(event.domain);
  if (event.kind !== 'io-error') return { ...event, domain };
  return { ...event, domain, path: clip(event.path), device: clip(event.device) };
}

function clippedDomain({ uuid, name, id }: TelemetryDomain): TelemetryDomain {
  return { uuid, name: clip(name), ...(id !== undefined && { id }) };
}

function clip(text: string): string {
  return text.slice(0, telemetryLimits.textLength);
}

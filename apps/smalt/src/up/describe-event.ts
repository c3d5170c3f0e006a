import { lifecycleDetailName, lifecycleEventName, type DomainEvent } from '@smalt/libvirt';

import { printableText } from '../printable-text.ts';

/** How bad an event is for the one who owns the machine. */
export type Severity = 'good' | 'notice' | 'bad';

export interface EventLine {
  readonly domain: string;
  readonly kind: string;
  readonly detail: string;
  readonly severity: Severity;
}

const badKinds: ReadonlySet<DomainEvent['kind']> = new Set([
  'watchdog',
  'io-error',
  'io-error-reason',
  'control-error',
  'memory-failure',
  'device-removal-failed',
]);

const lifecycleSeverities: Readonly<Record<string, Severity>> = {
  started: 'good',
  resumed: 'good',
  crashed: 'bad',
};

/** One event as a person reads it, safe to print: whose it is, what happened, and the particulars by name. */
export function describeEvent(event: DomainEvent): EventLine {
  if (event.kind === 'lifecycle') return describeLifecycle(event);
  const { domain, kind, ...particulars } = event;
  const severity = badKinds.has(kind) ? 'bad' : 'notice';
  return { domain: printableText(domain.name), kind, detail: describeParticulars(particulars), severity };
}

function describeLifecycle(event: DomainEvent & { kind: 'lifecycle' }): EventLine {
  const what = lifecycleEventName(event.event);
  const why = lifecycleDetailName(event.event, event.detail);
  const severity = why === 'failed' ? 'bad' : (lifecycleSeverities[what] ?? 'notice');
  return { domain: printableText(event.domain.name), kind: 'lifecycle', detail: `${what} (${why})`, severity };
}

function describeParticulars(particulars: object): string {
  return Object.entries(particulars)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${describeValue(value)}`)
    .join(' ');
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return printableText(/[\s=]/.test(value) ? JSON.stringify(value) : value);
  if (Array.isArray(value)) return `[${value.map(describeValue).join(' ')}]`;
  if (typeof value === 'object' && value !== null) return `{${describeParticulars(value)}}`;
  return String(value);
}

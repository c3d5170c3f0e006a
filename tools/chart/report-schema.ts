import { lifecycleWords, telemetryEventKinds } from '@smalt/ha-telemetry';

import { closed, listOf, type Schema } from './kubernetes-schemas.ts';

/** Words of a newer libvirt are told by their numbers. */
const NEWER = 'unknown-[0-9]+';
const EVENTS = Object.entries(lifecycleWords).map(
  ([event, details]) => `${event}(/(${[...details, NEWER].join('|')}))?`,
);
/** Of lifecycle events, by their names. */
export const REPORT_FILTERS: Schema = {
  ...listOf({ type: 'string', pattern: `^(${[...EVENTS, `${NEWER}(/[^/]*)?`].join('|')})$` }),
  maxItems: 1000,
};
const SWITCH = { type: 'boolean' };
const LIFECYCLE: Schema = {
  anyOf: [SWITCH, closed({ only: REPORT_FILTERS, except: REPORT_FILTERS })],
};
const PATTERNS: Schema = { ...listOf({ type: 'string', minLength: 1, maxLength: 256 }), maxItems: 1000 };
const INTERVAL = { type: 'number', minimum: 1, maximum: 86_400 };

/** What HA agents report, as they read it. */
export const REPORTS: Schema = closed({
  events: closed(
    Object.fromEntries(telemetryEventKinds.map((kind) => [kind, kind === 'lifecycle' ? LIFECYCLE : SWITCH])),
  ),
  domains: closed({ include: PATTERNS, exclude: PATTERNS }),
  intervals: closed({ uptimeSeconds: INTERVAL, instancesSeconds: INTERVAL, guestPingSeconds: INTERVAL }),
  guestPing: closed({
    misses: { type: 'integer', minimum: 2, maximum: 100 },
    timeoutSeconds: { type: 'integer', minimum: 1, maximum: 30 },
  }),
});

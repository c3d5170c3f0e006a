import { isJsonObject } from '@smalt/json';

import { VirtHandlerError } from '../../virt-handler-error.ts';

const DEFAULT_MS = 5 * 60_000;
const MOST_MS = 24 * 3_600_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/;
const PART = /(?<amount>\d+(?:\.\d+)?)(?<unit>ms|s|m|h)/g;

/** After how many milliseconds the file systems are thawed, whoever forgets to ask for it; 0 never does. */
export function readFreezeRequest(body: unknown): number {
  if (body === undefined) return DEFAULT_MS;
  if (!isJsonObject(body)) throw refused('the body must be an object in JSON');
  const { unfreezeTimeout } = body;
  if (unfreezeTimeout === undefined || unfreezeTimeout === null) return DEFAULT_MS;
  if (unfreezeTimeout === '0') return 0;
  if (typeof unfreezeTimeout !== 'string' || !DURATION.test(unfreezeTimeout)) {
    throw refused(`unfreezeTimeout: ${JSON.stringify(unfreezeTimeout)} is no duration such as "5m" or "30s"`);
  }
  const parts = Array.from(unfreezeTimeout.matchAll(PART), ({ groups }) => groups ?? {});
  const total = parts.reduce((sum, { amount, unit }) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
  if (total > MOST_MS) throw refused('unfreezeTimeout: a guest cannot be frozen for more than a day');
  return total;
}

function refused(message: string): VirtHandlerError {
  return new VirtHandlerError('bad-request', message);
}

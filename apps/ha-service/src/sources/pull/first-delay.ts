import { createHash } from 'node:crypto';

import type { PullEndpoint } from './pull-settings.ts';

const LONGEST_MS = 5_000;

/** When an endpoint is asked for the first time: each at a moment of its own, the same at every start. */
export function firstDelayMs({ name, intervalMs }: Pick<PullEndpoint, 'name' | 'intervalMs'>): number {
  const number = createHash('sha256').update(name).digest().readUInt32BE(0);
  return number % Math.max(1, Math.min(intervalMs, LONGEST_MS));
}

import { expect, it } from 'vitest';

import { judgeUnit } from './run-update.ts';

it.each([
  ['activating', 'start', 'loaded', 'running'],
  ['active', 'running', 'loaded', 'running'],
  ['reloading', 'reload', 'loaded', 'running'],
  ['active', 'exited', 'loaded', 'finished'],
  ['inactive', 'dead', 'loaded', 'finished'],
  ['inactive', 'dead', 'not-found', 'missing'],
  ['failed', 'failed', 'loaded', 'failed'],
  ['deactivating', 'stop-sigterm', 'loaded', 'stopped'],
  ['deactivating', 'stop-sigkill', 'loaded', 'stopped'],
  ['deactivating', 'stop-post', 'loaded', 'running'],
])('judges %s (%s, %s): %s', (activeState, subState, loadState, verdict) => {
  expect(judgeUnit({ name: 'x.service', activeState, subState, loadState })).toBe(verdict);
});

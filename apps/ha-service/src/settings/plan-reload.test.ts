import { expect, it } from 'vitest';
import { stringify } from 'yaml';

import { minimalSettings } from '../fixtures/minimal-settings.ts';
import type { HaServiceSettings } from './ha-service-settings.ts';
import { parseSettings } from './parse-settings.ts';
import { planReload } from './plan-reload.ts';

it.each([
  { change: {}, changed: [], waitsForRestart: [] },
  { change: { log: { level: 'debug' } }, changed: ['log'], waitsForRestart: [] },
  { change: { listen: ':1' }, changed: [], waitsForRestart: ['listen'] },
  { change: { store: { kind: 'sqlite', path: '/other' } }, changed: [], waitsForRestart: ['store'] },
  {
    change: { compute: { cloud: 'x' }, detection: { brakes: { isPaused: true } } },
    changed: ['detection'],
    waitsForRestart: ['compute'],
  },
])('takes over $changed, and leaves $waitsForRestart for the next start', ({ change, changed, waitsForRestart }) => {
  const running = settings({});

  const reload = planReload(running, settings(change));

  expect(reload).toMatchObject({ changed, waitsForRestart });
  expect(reload.settings).toMatchObject({ listen: ':8443', store: running.store, compute: running.compute });
});

function settings(change: Readonly<Record<string, unknown>>): HaServiceSettings {
  return parseSettings(stringify({ ...minimalSettings(), ...change }));
}

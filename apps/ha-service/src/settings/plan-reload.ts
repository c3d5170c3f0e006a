import { isDeepStrictEqual } from 'node:util';

import type { HaServiceSettings } from './ha-service-settings.ts';

/** The settings that are opened at the start, and would have to be opened anew. The chart starts new pods when one of them changes. */
export const FIXED_SETTINGS = ['listen', 'observabilityListen', 'kubernetes', 'store', 'compute'] as const;

export interface Reload {
  /** What counts from now on. */
  readonly settings: HaServiceSettings;
  readonly changed: readonly string[];
  /** What the file says and only a new start follows. */
  readonly waitsForRestart: readonly string[];
}

/** Decides what a changed file changes: everything but what was opened at the start. */
export function planReload(running: HaServiceSettings, read: HaServiceSettings): Reload {
  const kept: Partial<HaServiceSettings> = Object.fromEntries(FIXED_SETTINGS.map((name) => [name, running[name]]));
  const settings = { ...read, ...kept };
  return {
    settings,
    changed: namesOf(settings).filter((name) => !isDeepStrictEqual(running[name], settings[name])),
    waitsForRestart: FIXED_SETTINGS.filter((name) => !isDeepStrictEqual(running[name], read[name])),
  };
}

function namesOf(settings: HaServiceSettings): readonly (keyof HaServiceSettings)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- settings are read field by field, so they have no others
  return Object.keys(settings) as readonly (keyof HaServiceSettings)[];
}

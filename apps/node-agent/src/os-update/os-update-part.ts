import { readFile } from 'node:fs/promises';

import { systemClock, type AgentPart, WakeUp } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';

import { NAME, OsUpdater, type UpdaterContext, type UpdaterSettings } from './os-updater.ts';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const TRIES = 3;
const MINUTE_MS = 60_000;
const FAILURE_MS = 30_000;
/** Whatever a step says: the next comes no sooner, unless something else is wanted. */
const SHORTEST_PAUSE_MS = 10;

/** `systemd` and `evacuation` have to be given, the rest has defaults: three tries of two hours at most. */
export type OsUpdateSettings = Pick<UpdaterSettings, 'systemd' | 'evacuation'> & {
  readonly [Name in Exclude<keyof UpdaterSettings, 'systemd' | 'evacuation'>]?: UpdaterSettings[Name] | undefined;
};

/** Brings the operating system of the host to `spec.version` of its Hypervisor, and reboots it if that is wanted. */
export function createOsUpdatePart(context: UpdaterContext, settings: OsUpdateSettings): AgentPart {
  return { name: NAME, run: (signal) => keepUpdated(context, withDefaults(settings), signal) };
}

async function keepUpdated(context: UpdaterContext, settings: UpdaterSettings, signal: AbortSignal): Promise<void> {
  const { hypervisor, logger } = context;
  const updater = new OsUpdater(context, settings);
  const changed = new WakeUp(settings.clock);
  let wish = { text: wishOf(hypervisor.current), changed: new AbortController() };
  const stop = hypervisor.onChange((current) => {
    // Most changes are of no interest here, many of them our own.
    if (wishOf(current) === wish.text) return;
    wish.changed.abort();
    wish = { text: wishOf(current), changed: new AbortController() };
    changed.ring();
  });
  try {
    while (!signal.aborted) {
      const { current } = hypervisor;
      const stepping = current === undefined ? Infinity : updater.step(current, wish.changed.signal, signal);
      const delayMs = await Promise.resolve(stepping).catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ error, step: NAME }, 'the update of the operating system has to wait');
        return FAILURE_MS;
      });
      await changed.wait(Math.max(delayMs, SHORTEST_PAUSE_MS), signal);
    }
  } finally {
    stop();
  }
}

/** All of a Hypervisor that an update depends on. */
function wishOf(hypervisor: Hypervisor | undefined): string {
  const { version, reboot, evacuateOnReboot } = hypervisor?.spec ?? {};
  const running = hypervisor?.status?.operatingSystem?.version;
  return JSON.stringify([hypervisor?.metadata.uid, version, reboot, evacuateOnReboot, running]);
}

function withDefaults(settings: OsUpdateSettings): UpdaterSettings {
  const { systemd, evacuation } = settings;
  return {
    systemd,
    evacuation,
    readBootId: settings.readBootId ?? (async () => (await readFile(BOOT_ID, 'utf8')).trim()),
    tries: settings.tries ?? TRIES,
    retryMs: settings.retryMs ?? MINUTE_MS,
    updateLimitMs: settings.updateLimitMs ?? 120 * MINUTE_MS,
    evacuationLimitMs: settings.evacuationLimitMs ?? 240 * MINUTE_MS,
    rebootRetryMs: settings.rebootRetryMs ?? 5 * MINUTE_MS,
    clock: settings.clock ?? systemClock,
  };
}

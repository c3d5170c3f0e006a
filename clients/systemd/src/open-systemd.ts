import { stat } from 'node:fs/promises';

import { BusKeeper } from './bus/bus-keeper.ts';
import { Bus } from './bus/bus.ts';
import type { FollowContext } from './bus/follow-service.ts';
import { describeHost } from './host/describe-host.ts';
import { delayShutdown, type DelaySettings } from './logind/delay-shutdown.ts';
import { shutdownDelayLimitMs } from './logind/shutdown-delay-limit.ts';
import { watchShutdown } from './logind/watch-shutdown.ts';
import type { SystemdOptions } from './systemd-options.ts';
import type { Systemd } from './systemd.ts';
import { runUnitJob } from './units/run-unit-job.ts';
import { unitStates } from './units/unit-states.ts';
import { watchUnits } from './units/watch-units.ts';

const BUS_PATH = '/run/dbus/system_bus_socket';
const CALL_TIMEOUT_MS = 10_000;
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * The systemd of this machine; nothing where there is no system bus. It connects at the first call, so a bus that is
 * there but does not answer shows in the calls.
 */
export async function openSystemd(options: SystemdOptions = {}): Promise<Systemd | undefined> {
  const path = options.busPath ?? BUS_PATH;
  const isThere = await stat(path).then(
    (found) => found.isSocket(),
    () => false,
  );
  if (!isThere) return undefined;
  const callTimeoutMs = options.callTimeoutMs ?? CALL_TIMEOUT_MS;
  const backOff = options.backOff ?? {};
  const keeper = new BusKeeper({ path, connectTimeoutMs: callTimeoutMs, backOff, random: Math.random });
  const bus = new Bus(keeper, callTimeoutMs);
  const context: FollowContext = { bus, onWarning: options.onWarning ?? (() => undefined) };
  const settings = delaySettings(path, options);
  return {
    unitStates: (names, signal) => unitStates(bus, names, signal),
    watchUnits: (names, signal) => watchUnits(context, names, signal),
    startUnit: (name, signal) => runUnitJob(bus, 'StartUnit', name, signal),
    restartUnit: (name, signal) => runUnitJob(bus, 'RestartUnit', name, signal),
    stopUnit: (name, signal) => runUnitJob(bus, 'StopUnit', name, signal),
    describeHost: (signal) => describeHost(bus, signal),
    watchShutdown: (signal) => watchShutdown(context, signal),
    shutdownDelayLimitMs: (signal) => shutdownDelayLimitMs(bus, signal),
    delayShutdown: (reason, signal) =>
      bus.within('Taking the shutdown lock', signal, (limited) => delayShutdown(settings, reason, limited)),
    [Symbol.asyncDispose]: () => keeper[Symbol.asyncDispose](),
  };
}

/** A command of the caller's own may lead to another file system, in which the path means nothing. */
function delaySettings(path: string, { inhibitCommand }: SystemdOptions): DelaySettings {
  const environment = { PATH: SYSTEM_PATH, LC_ALL: 'C' };
  if (inhibitCommand) return { command: inhibitCommand, environment };
  const address = `unix:path=${path.replaceAll(/[^\w/.-]/gu, encodeURIComponent)}`;
  return { command: ['systemd-inhibit'], environment: { ...environment, DBUS_SYSTEM_BUS_ADDRESS: address } };
}

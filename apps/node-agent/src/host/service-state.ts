import type { Systemd } from '@smalt/systemd';
import type { Ignore } from '@smalt/service-runtime';

import type { ServiceState } from './connection-condition.ts';

/** Any of these serves the agent: the one daemon for all, or the modular one of a driver. */
const DAEMONS = ['libvirtd.service', 'virtqemud.service', 'virtchd.service'];
const RUNNING = new Set(['active', 'activating', 'reloading']);

/** Asks the service manager whether some libvirt daemon runs. It is only asked when connecting failed. */
export async function readServiceState(
  systemd: Pick<Systemd, 'unitStates'> | undefined,
  ignore: Ignore,
  signal: AbortSignal,
): Promise<ServiceState> {
  if (systemd === undefined) return undefined;
  try {
    const units = (await systemd.unitStates(DAEMONS, signal)).filter(({ loadState }) => loadState !== 'not-found');
    if (units.length === 0) return undefined;
    return units.some(({ activeState }) => RUNNING.has(activeState)) ? 'running' : 'not-running';
  } catch (error) {
    ignore(error, 'the state of the unit only makes a message better');
    return undefined;
  }
}

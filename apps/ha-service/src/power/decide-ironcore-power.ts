import type { PowerState } from '@smalt/bmc';

import { maintenanceName, type Server, type ServerMaintenance } from './ironcore-kinds.ts';
import type { IronCoreLevel } from './power-settings.ts';

/** What the API server has of a server, read anew. */
export interface IronCoreView {
  readonly server: Server;
  readonly maintenance: ServerMaintenance | undefined;
}

export interface IronCorePower {
  readonly state: PowerState;
  /** Why what the status says is not taken for the state. */
  readonly message: string | undefined;
}

const STATES: Readonly<Record<string, PowerState>> = {
  On: 'on',
  PoweringOn: 'powering-on',
  PoweringOff: 'powering-off',
  Paused: 'paused',
};

/**
 * The power of a server by what metal-operator wrote last. `Off` counts only once the operator has taken our order up:
 * before that it may be what somebody saw long ago.
 */
export function decideIronCorePower({ server, maintenance }: IronCoreView, level: IronCoreLevel): IronCorePower {
  const { powerState = '', state = '' } = server.status ?? {};
  if (powerState !== 'Off') return { state: STATES[powerState] ?? 'unknown', message: undefined };
  const doubt = level.order === 'park' ? parkDoubt(state) : maintenanceDoubt(server, maintenance, level);
  if (doubt === undefined) return { state: 'off', message: undefined };
  return { state: 'unknown', message: `the status says Off, but ${doubt}` };
}

function parkDoubt(state: string): string | undefined {
  return state === 'Parked' ? undefined : `the Server is not parked, it is ${state || 'in no state'}`;
}

function maintenanceDoubt(
  { spec, status }: Server,
  maintenance: ServerMaintenance | undefined,
  level: IronCoreLevel,
): string | undefined {
  if (maintenance === undefined) return 'there is no ServerMaintenance of ours';
  const { state = 'new' } = maintenance.status ?? {};
  if (state !== 'InMaintenance') return `our ServerMaintenance is ${state}`;
  const reference = spec?.serverMaintenanceRef;
  const isOurs = reference?.name === maintenanceName(level) && reference.namespace === level.namespace;
  if (!isOurs) return `the Server is under another maintenance, ${reference?.name ?? 'or none'}`;
  return status?.state === 'Maintenance' ? undefined : `the Server is ${status?.state ?? 'in no state'} yet`;
}

import type { PowerState } from '@smalt/bmc';

import { OPERATION_ANNOTATION, ORDER_ANNOTATION, type Server, type ServerMaintenance } from './ironcore-kinds.ts';
import type { IronCoreLevel } from './power-settings.ts';

/** What the API server has of a server, read anew. */
export interface IronCoreView {
  readonly server: Server;
  /** Those of ours for this server. */
  readonly maintenances: readonly ServerMaintenance[];
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
 * The power of a server by what metal-operator wrote last. `Off` counts only once the operator has taken up our last order,
 * which no other order looks like: before that it may be what somebody saw long ago.
 */
export function decideIronCorePower({ server, maintenances }: IronCoreView, level: IronCoreLevel): IronCorePower {
  const { powerState = '', state = '' } = server.status ?? {};
  if (powerState !== 'Off') return { state: STATES[powerState] ?? 'unknown', message: undefined };
  const doubt = level.order === 'park' ? parkDoubt(server, state) : maintenanceDoubt(server, maintenances, level);
  if (doubt === undefined) return { state: 'off', message: undefined };
  return { state: 'unknown', message: `the status says Off, but ${doubt}` };
}

function parkDoubt({ metadata: { annotations = {} } }: Server, state: string): string | undefined {
  if (annotations[ORDER_ANNOTATION] === undefined) return 'it was not parked by an order of ours';
  if (annotations[OPERATION_ANNOTATION] !== undefined) return 'nobody has taken our order up';
  return state === 'Parked' ? undefined : `the Server is not parked, it is ${state || 'in no state'}`;
}

function maintenanceDoubt(
  { spec, status }: Server,
  maintenances: readonly ServerMaintenance[],
  level: IronCoreLevel,
): string | undefined {
  const [ours, ...others] = maintenances.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (ours === undefined) return 'there is no ServerMaintenance of ours';
  if (others.length > 0) return 'there are several ServerMaintenances of ours';
  const { state = 'new' } = ours.status ?? {};
  if (state !== 'InMaintenance') return `our ServerMaintenance is ${state}`;
  if (ours.spec?.serverPower !== 'Off') return 'our ServerMaintenance was changed';
  const reference = spec?.serverMaintenanceRef;
  const isOurs = reference?.name === ours.metadata.name && reference.namespace === level.namespace;
  if (!isOurs) return `the Server is under another maintenance, ${reference?.name ?? 'or none'}`;
  return status?.state === 'Maintenance' ? undefined : `the Server is ${status?.state ?? 'in no state'} yet`;
}

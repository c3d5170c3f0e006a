import { jsonField, type JsonObject } from '@smalt/json';

import { BmcError } from '../bmc-error.ts';
import type { PowerState } from '../power-controller.ts';
import { scrubSecrets } from '../scrub-secrets.ts';

const STATES: ReadonlyMap<unknown, PowerState> = new Map<unknown, PowerState>([
  ['On', 'on'],
  ['Off', 'off'],
  ['PoweringOn', 'powering-on'],
  ['PoweringOff', 'powering-off'],
  ['Paused', 'paused'],
  // The schema allows a controller not to know.
  [null, 'unknown'],
  [undefined, 'unknown'],
]);

/** The PowerState of a ComputerSystem. A value that Redfish does not have is a `bad-answer`. */
export function readPowerState(system: JsonObject, path: string): PowerState {
  const value = jsonField(system, 'PowerState');
  const state = STATES.get(value);
  if (state !== undefined) return state;
  const shown = typeof value === 'string' ? `"${scrubSecrets(value, []).slice(0, 40)}"` : typeof value;
  throw new BmcError('bad-answer', `GET ${path}: PowerState is ${shown}, which Redfish does not have`);
}

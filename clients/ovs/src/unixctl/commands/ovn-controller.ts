import { OvsError } from '../../ovs-error.ts';
import type { RequestOptions, Unixctl } from '../unixctl.ts';
import type { LocalBinding } from './local-binding.ts';
import { parseConntrackZones, parseLocalBindings } from './parse-ovn-controller.ts';

/** What ovn-controller says of its connection to the southbound database, and of nothing else. */
export async function connectionStatus(
  unixctl: Unixctl,
  options?: RequestOptions,
): Promise<'connected' | 'not connected'> {
  const text = (await unixctl.run('connection-status', [], options)).trim();
  if (text === 'connected' || text === 'not connected') return text;
  throw new OvsError('protocol', `${unixctl.socket} says that its connection is ${JSON.stringify(text.slice(0, 100))}`);
}

/** Whether ovn-controller was paused by `debug/pause`. */
export async function isPaused(unixctl: Unixctl, options?: RequestOptions): Promise<boolean> {
  return (await unixctl.run('debug/status', [], options)).trim() === 'paused';
}

/** What ovn-controller bound to the interfaces of this node. */
export async function dumpLocalBindings(unixctl: Unixctl, options?: RequestOptions): Promise<readonly LocalBinding[]> {
  return parseLocalBindings(await unixctl.run('debug/dump-local-bindings', [], options));
}

/** `ct-zone-list`: the connection tracking zone of each logical port. */
export async function listConntrackZones(
  unixctl: Unixctl,
  options?: RequestOptions,
): Promise<ReadonlyMap<string, number>> {
  return parseConntrackZones(await unixctl.run('ct-zone-list', [], options));
}

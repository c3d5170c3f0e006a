import type { Bus } from '../bus/bus.ts';
import type { HostDescription } from '../host-description.ts';
import { isSystemdError } from '../systemd-error.ts';
import { parseHostJson, readHostProperties } from './read-host.ts';

const HOSTNAMED = { destination: 'org.freedesktop.hostname1', path: '/org/freedesktop/hostname1' } as const;
const INTERFACE = 'org.freedesktop.hostname1';

/** What hostnamed says about the machine. */
export async function describeHost(bus: Bus, signal: AbortSignal): Promise<HostDescription> {
  try {
    const { body: [text] = [] } = await bus.call({ ...HOSTNAMED, interface: INTERFACE, member: 'Describe' }, signal);
    return parseHostJson(text);
  } catch (error) {
    // Before systemd 249.
    if (!isSystemdError(error, 'unsupported')) throw error;
    const properties = { ...HOSTNAMED, interface: 'org.freedesktop.DBus.Properties' };
    const call = { ...properties, member: 'GetAll', signature: 's', body: [INTERFACE] };
    const { body: [all] = [] } = await bus.call(call, signal);
    return readHostProperties(all);
  }
}

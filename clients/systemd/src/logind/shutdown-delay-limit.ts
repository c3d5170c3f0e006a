import { isVariant, type DBusValue } from '@smalt/dbus';

import type { Bus } from '../bus/bus.ts';
import { SystemdError } from '../systemd-error.ts';
import { LOGIN_MANAGER } from './login-manager.ts';

const PROPERTY = 'InhibitDelayMaxUSec';

/** How long logind lets a shutdown be held back, its `InhibitDelayMaxSec`; `Infinity` where that has no end. */
export async function shutdownDelayLimitMs(bus: Bus, signal: AbortSignal): Promise<number> {
  const { destination, path, interface: manager } = LOGIN_MANAGER;
  const properties = { destination, path, interface: 'org.freedesktop.DBus.Properties' };
  const call = { ...properties, member: 'Get', signature: 'ss', body: [manager, PROPERTY] };
  const { body: [property] = [] } = await bus.call(call, signal);
  return readDelayLimitMs(property);
}

/** The value of the property, in microseconds; systemd says 2⁶⁴ - 1 for a time without end. */
export function readDelayLimitMs(property: DBusValue | undefined): number {
  const value = property !== undefined && isVariant(property) ? property.value : undefined;
  if (typeof value !== 'bigint') throw new SystemdError('bad-answer', `logind told of ${PROPERTY} what is no time`);
  return value === 2n ** 64n - 1n ? Infinity : Number(value / 1000n);
}

import type { DBusMessage } from '@smalt/dbus';

import { SystemdError, type SystemdErrorCode } from '../systemd-error.ts';

const DBUS = 'org.freedesktop.DBus.Error.';

const CODES: Readonly<Record<string, SystemdErrorCode>> = {
  [`${DBUS}AccessDenied`]: 'access-denied',
  [`${DBUS}AuthFailed`]: 'access-denied',
  [`${DBUS}InteractiveAuthorizationRequired`]: 'access-denied',
  'org.freedesktop.PolicyKit1.Error.NotAuthorized': 'access-denied',
  'org.freedesktop.systemd1.NoSuchUnit': 'no-such-unit',
  'org.freedesktop.systemd1.LoadFailed': 'no-such-unit',
  [`${DBUS}ServiceUnknown`]: 'no-service',
  [`${DBUS}NameHasNoOwner`]: 'no-service',
  [`${DBUS}Disconnected`]: 'bus-lost',
  [`${DBUS}NoReply`]: 'timeout',
  [`${DBUS}Timeout`]: 'timeout',
  [`${DBUS}TimedOut`]: 'timeout',
  [`${DBUS}UnknownMethod`]: 'unsupported',
  [`${DBUS}UnknownInterface`]: 'unsupported',
  [`${DBUS}UnknownProperty`]: 'unsupported',
  [`${DBUS}UnknownObject`]: 'unsupported',
  [`${DBUS}LimitsExceeded`]: 'queue-full',
};

/** What a service, or the bus for one that is not there, answered instead of a result. */
export function remoteError({ errorName, body }: DBusMessage): SystemdError {
  const remoteName = errorName ?? '';
  // A service that the bus has to start and cannot: Spawn.ExecFailed, Spawn.ChildExited, …
  const isSpawn = remoteName.startsWith(`${DBUS}Spawn.`);
  const code = isSpawn ? 'no-service' : (CODES[remoteName] ?? 'refused');
  const [text] = body ?? [];
  return new SystemdError(code, typeof text === 'string' && text !== '' ? text : remoteName, { remoteName });
}

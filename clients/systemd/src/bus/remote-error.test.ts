import { expect, it } from 'vitest';

import { remoteError } from './remote-error.ts';

it.each([
  { errorName: 'org.freedesktop.DBus.Error.AccessDenied', code: 'access-denied' },
  { errorName: 'org.freedesktop.DBus.Error.InteractiveAuthorizationRequired', code: 'access-denied' },
  { errorName: 'org.freedesktop.systemd1.NoSuchUnit', code: 'no-such-unit' },
  { errorName: 'org.freedesktop.DBus.Error.ServiceUnknown', code: 'no-service' },
  { errorName: 'org.freedesktop.DBus.Error.Spawn.ChildExited', code: 'no-service' },
  { errorName: 'org.freedesktop.DBus.Error.NoReply', code: 'timeout' },
  { errorName: 'org.freedesktop.DBus.Error.UnknownMethod', code: 'unsupported' },
  { errorName: 'org.freedesktop.systemd1.UnitMasked', code: 'refused' },
])('takes $errorName for $code', ({ errorName, code }) => {
  const error = remoteError({ kind: 'error', serial: 1, replySerial: 1, errorName, body: ['why'] });

  expect(error).toMatchObject({ code, remoteName: errorName, message: 'why' });
});

it('tells the name of an error that comes without words', () => {
  const error = remoteError({ kind: 'error', serial: 1, replySerial: 1, errorName: 'org.example.No' });

  expect(error.message).toBe('org.example.No');
});

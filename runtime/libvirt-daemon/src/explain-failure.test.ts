import { expect, it } from 'vitest';

import { isMissingSoftware, isPortInUse } from './error.ts';
import { explainFailure } from './explain-failure.ts';

it('tells a taken port from other failures', () => {
  const error = explainFailure('virNetSocketNewListenTCP:449 : Unable to bind to port: Address already in use', 6);

  expect(isPortInUse(error)).toBe(true);
});

it('names the account that is missing and the package that makes it', () => {
  const error = explainFailure("virGetUserID:856 : invalid argument: Failed to parse user 'libvirt-qemu'", 6);

  expect(isMissingSoftware(error)).toBe(true);
  expect(error.message).toContain('user libvirt-qemu: the Debian package libvirt-daemon-system');
});

it('shows the last words of a daemon that failed for another reason', () => {
  const error = explainFailure('something new', 1);

  expect(error).toMatchObject({ code: 'start-failed', log: 'something new' });
  expect(error.message).toContain('status 1');
});

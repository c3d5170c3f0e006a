import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { canOpenDevice } from './open-device.ts';

it('tells devices that work from what is missing, or is no device', async () => {
  const root = await mkdtemp(join(tmpdir(), 'devices-'));
  await symlink('/dev/null', join(root, 'kvm'));
  await writeFile(join(root, 'vhost-net'), '');

  const found = await Promise.all(['kvm', 'vhost-net', 'tun'].map((device) => canOpenDevice(device, root)));

  await rm(root, { recursive: true });
  expect(found).toEqual([true, false, false]);
});

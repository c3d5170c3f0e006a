import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { BindMount } from '@smalt/libvirt-daemon';

import { fakeHardwareTree } from './fake-hardware.ts';
import type { FakeHardware } from './fake-hardware.ts';

/** Writes the files that show such hardware and tells where to mount them. */
export async function writeFakeHardware(directory: string, hardware: FakeHardware): Promise<readonly BindMount[]> {
  for (const [path, text] of fakeHardwareTree(hardware)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return ['node', 'cpu'].map((name) => ({ source: join(directory, name), target: `/sys/devices/system/${name}` }));
}

import { execFile as execFileCallback } from 'node:child_process';
import { mkdir, mkdtempDisposable, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { KernelBootContainer } from '@smalt/vm-api';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { anInstance } from '../../sync/fixtures/an-instance.ts';
import { prepareKernel, type KernelPlace } from './prepare-kernel.ts';

const execFile = promisify(execFileCallback);

let directory: Awaited<ReturnType<typeof mkdtempDisposable>>;

beforeEach(async () => {
  directory = await mkdtempDisposable(join(tmpdir(), 'kernel-'));
  await write('image/boot/vmlinuz', 'the kernel');
  await write('image/boot/initrd', 'what it starts with');
});

afterEach(() => directory.remove());

it('shows both parts at paths that every node has', async () => {
  const kernel = await prepareKernel(place({ kernelPath: '/boot/vmlinuz', initrdPath: '/boot/initrd' }));
  const again = await prepareKernel(place({ kernelPath: '/boot/vmlinuz', initrdPath: '/boot/initrd' }));

  expect(kernel).toEqual({ kernel: at('instance/kernel-boot/kernel'), initrd: at('instance/kernel-boot/initrd') });
  expect(again).toEqual(kernel);
  expect(await readFile(at('instance/kernel-boot/kernel'), 'utf8')).toBe('the kernel');
  await writeFile(at('instance/kernel-boot/initrd'), 'changed by a guest that broke out');
  expect(await readFile(at('image/boot/initrd'), 'utf8')).toBe('what it starts with');
});

it('makes only what is asked for', async () => {
  expect(await prepareKernel(place({ kernelPath: '/boot/vmlinuz' }))).toEqual({
    kernel: at('instance/kernel-boot/kernel'),
    initrd: undefined,
  });
  expect(await prepareKernel({ ...place({}), instance: anInstance() })).toBeUndefined();
});

it.each([
  ['kernelPath', { kernelPath: '../secret' }, 'leads out of the image'],
  ['kernelPath', { kernelPath: '/link' }, 'leads out of the image'],
  ['initrdPath', { kernelPath: '/boot/vmlinuz', initrdPath: '/boot/none' }, 'holds no file /boot/none'],
  ['kernelPath', { kernelPath: '/boot' }, '/boot is no file'],
])('refuses %s of %j', async (name, container, words) => {
  await write('secret', 'of another');
  await symlink(at('secret'), at('image/link'));

  await expect(prepareKernel(place(container))).rejects.toMatchObject({
    code: 'bad-volume',
    field: `spec.domain.firmware.kernelBoot.container.${name}`,
    message: expect.stringContaining(words),
  });
});

it('copies nothing that is larger than any kernel, though it may be a hole', async () => {
  await truncate(at('image/boot/initrd'), 1024 ** 3 + 1);

  await expect(prepareKernel(place({ initrdPath: '/boot/initrd' }))).rejects.toMatchObject({
    code: 'bad-volume',
    field: 'spec.domain.firmware.kernelBoot.container.initrdPath',
    message: expect.stringContaining('at most 1073741824 are copied'),
  });
});

it('leaves room for the guests that run', async () => {
  await mkdir(at('instance'));
  await execFile('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at('instance')]);
  try {
    await expect(prepareKernel(place({ kernelPath: '/boot/vmlinuz' }))).rejects.toMatchObject({
      code: 'disk-full',
      field: 'spec.domain.firmware.kernelBoot.container.kernelPath',
    });
  } finally {
    await execFile('umount', [at('instance')]);
  }
});

it('waits for a pod that does not have the image yet', async () => {
  const { sandbox, ...rest } = place({ kernelPath: '/boot/vmlinuz' });

  await expect(prepareKernel({ ...rest, sandbox: { ...sandbox, volumes: {} } })).rejects.toMatchObject({
    code: 'volume-not-ready',
    field: 'spec.domain.firmware.kernelBoot.container.image',
  });
});

function place(container: Omit<KernelBootContainer, 'image'>): KernelPlace {
  const firmware = { kernelBoot: { container: { image: 'linux', ...container } } };
  return {
    instance: anInstance({}, { domain: { firmware, devices: {} } }),
    sandbox: {
      podUid: 'p',
      namespace: 'shop',
      name: 'virt-launcher-a',
      launcher: undefined,
      guestCgroup: undefined,
      volumes: { 'kernel-boot-volume': { kind: 'directory', path: at('image') } },
    },
    directory: at('instance'),
  };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

function at(path: string): string {
  return join(directory.path, path);
}

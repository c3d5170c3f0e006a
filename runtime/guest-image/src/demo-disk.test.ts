import { execFileSync } from 'node:child_process';
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { bootRecord } from './boot-record.ts';
import { buildDemoDisk } from './demo-disk.ts';
import { isGuestWord } from './guest-kernel-words.ts';

it('a demo disk holds kernel, initramfs and words in a partition that is told as bootable', async () => {
  await using directory = await mkdtempDisposable('/var/tmp/smalt-demo-');
  const image = await anImage(directory.path);
  const path = join(directory.path, 'disk.img');

  await buildDemoDisk({ path, image, words: ['tick', 'dirty=4'], sizeMiB: 8 });

  const read = (file: string): string =>
    execFileSync('debugfs', ['-R', `cat ${file}`, `${path}?offset=1048576`], { encoding: 'utf8', stdio: 'pipe' });
  const menu = read('/boot/grub/grub.cfg');
  expect([read('/boot/kernel'), read('/boot/initramfs')]).toEqual(['the kernel', 'the initramfs']);
  expect(menu).toMatch(/^linux \/boot\/kernel console=ttyS0 .* tick dirty=4$/m);
  const sector = (await readFile(path)).subarray(0, 512);
  expect(sector).toEqual(
    bootRecord(await readFile('/usr/lib/grub/i386-pc/boot.img'), { start: 1 << 20, end: 8 << 20 }),
  );
  expect((await readdir(directory.path)).toSorted()).toEqual(['disk.img', 'initramfs', 'kernel']);
});

it('a demo disk that does not fit leaves nothing', async () => {
  await using directory = await mkdtempDisposable('/var/tmp/smalt-demo-');
  const image = await anImage(directory.path, 4 << 20);

  const building = buildDemoDisk({ path: join(directory.path, 'disk.img'), image, sizeMiB: 3 });

  await expect(building).rejects.toMatchObject({ code: 'command-failed' });
  expect((await readdir(directory.path)).toSorted()).toEqual(['initramfs', 'kernel']);
});

it('a demo disk does not take the place of another file', async () => {
  await using directory = await mkdtempDisposable('/var/tmp/smalt-demo-');
  const image = await anImage(directory.path);

  await expect(buildDemoDisk({ path: image.kernelPath, image })).rejects.toMatchObject({ code: 'EEXIST' });

  expect(await readFile(image.kernelPath, 'utf8')).toBe('the kernel');
});

it('a boot record keeps the code and puts its table where that ends', () => {
  const record = bootRecord(Buffer.alloc(512, 0x90), { start: 1 << 20, end: 3 << 20 });

  expect(record.subarray(0, 446).every((byte) => byte === 0x90)).toBe(true);
  expect([record[446], record[450], record.readUInt32LE(454), record.readUInt32LE(458)]).toEqual([
    0x80, 0x83, 2048, 4096,
  ]);
  expect(record.subarray(462)).toEqual(Buffer.concat([Buffer.alloc(48), Buffer.from([0x55, 0xaa])]));
});

it.each([
  ['tick', true],
  ['dirty=12', true],
  ['dirty', false],
  ['login', true],
  ['init=/bin/sh', false],
  ['tick panic', false],
])('%s is a word of the guest: %s', (text, isOne) => {
  expect(isGuestWord(text)).toBe(isOne);
});

async function anImage(
  directory: string,
  kernelBytes?: number,
): Promise<{ readonly kernelPath: string; readonly initramfsPath: string }> {
  const image = { kernelPath: join(directory, 'kernel'), initramfsPath: join(directory, 'initramfs') };
  await writeFile(image.kernelPath, kernelBytes === undefined ? 'the kernel' : Buffer.alloc(kernelBytes, 1));
  await writeFile(image.initramfsPath, 'the initramfs');
  return image;
}

import { copyFile, mkdir, mkdtempDisposable, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';

import { bootRecord } from './boot-record.ts';
import type { GuestImage } from './ensure-guest-image.ts';
import { GuestImageError } from './guest-image-error.ts';
import { KERNEL_WORDS, type GuestWord } from './guest-kernel-words.ts';

const GRUB_MKIMAGE = { name: 'grub-mkimage', debianPackage: 'grub-common' } as const;
const MKE2FS = { name: 'mke2fs', debianPackage: 'e2fsprogs' } as const;
const GRUB_DIRECTORY = '/usr/lib/grub/i386-pc';
const GRUB_MODULES = ['biosdisk', 'part_msdos', 'ext2', 'linux', 'normal', 'configfile'];
const MIB = 1 << 20;
const SECTOR_BYTES = 512;

export interface DemoDiskOptions {
  /** The file to make; it must not be there. */
  readonly path: string;
  readonly image: GuestImage;
  /** What the guest does once it is up; it offers a login when none are given. */
  readonly words?: readonly GuestWord[] | undefined;
  readonly sizeMiB?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Makes a raw disk that a BIOS boots: GRUB, and the guest's kernel and initramfs in a partition. Nothing half is left. */
export async function buildDemoDisk(options: DemoDiskOptions): Promise<void> {
  const sizeBytes = (options.sizeMiB ?? 64) * MIB;
  await using work = await mkdtempDisposable(join(dirname(options.path), '.demo-'));
  const core = await buildLoader(work.path, options.signal);
  await writeRoot(join(work.path, 'root'), options);
  await using disk = await open(options.path, 'wx', 0o644);
  try {
    await disk.truncate(sizeBytes);
    await disk.write(bootRecord(await readLoader('boot.img'), { start: MIB, end: sizeBytes }), 0, SECTOR_BYTES, 0);
    await disk.write(core, 0, core.length, SECTOR_BYTES);
    const blocks = String((sizeBytes - MIB) / 1024);
    const parameters = ['-q', '-F', '-t', 'ext2', '-b', '1024', '-d', join(work.path, 'root'), '-E', `offset=${MIB}`];
    await runProgram(MKE2FS, [...parameters, options.path, blocks], { signal: options.signal });
  } catch (error) {
    await rm(options.path, { force: true });
    throw error;
  }
}

/** The part of GRUB that lies between the boot record and the first partition. */
async function buildLoader(directory: string, signal: AbortSignal | undefined): Promise<Buffer> {
  await readLoader('boot.img');
  const path = join(directory, 'core.img');
  const prefix = '(hd0,msdos1)/boot/grub';
  const parameters = ['-O', 'i386-pc', '-o', path, '-p', prefix, '-d', GRUB_DIRECTORY, ...GRUB_MODULES];
  await runProgram(GRUB_MKIMAGE, parameters, { signal });
  const core = await readFile(path);
  if (core.length <= MIB - SECTOR_BYTES) return core;
  throw new GuestImageError('missing-boot-loader', `GRUB is ${core.length} bytes long and has to fit into 1 MiB`);
}

async function readLoader(name: string): Promise<Buffer> {
  return readFile(join(GRUB_DIRECTORY, name)).catch((error: unknown) => {
    const message = `${GRUB_DIRECTORY}/${name} is missing: install the Debian package grub-pc-bin`;
    throw new GuestImageError('missing-boot-loader', message, error);
  });
}

async function writeRoot(root: string, { image, words = ['login'] }: DemoDiskOptions): Promise<void> {
  await mkdir(join(root, 'boot', 'grub'), { recursive: true });
  await copyFile(image.kernelPath, join(root, 'boot', 'kernel'));
  await copyFile(image.initramfsPath, join(root, 'boot', 'initramfs'));
  const menu = [`linux /boot/kernel ${[KERNEL_WORDS, ...words].join(' ')}`, 'initrd /boot/initramfs', 'boot', ''];
  await writeFile(join(root, 'boot', 'grub', 'grub.cfg'), menu.join('\n'));
}

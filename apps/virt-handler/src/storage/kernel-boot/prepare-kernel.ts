import { constants } from 'node:fs';
import { copyFile, lstat, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { BootKernel } from '@smalt/domain-xml';
import { KERNEL_VOLUME } from '@smalt/vm-lifecycle';

import { VirtHandlerError, type VirtHandlerErrorCode } from '../../virt-handler-error.ts';
import { ensureDirectory } from '../files/ensure-file.ts';
import { unless, writeError } from '../files/file-error.ts';
import { findInside } from '../files/inside.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

/** Where a kernel comes from, and where it goes. */
export type KernelPlace = Pick<VolumeRequest, 'instance' | 'sandbox' | 'directory'>;

const FIELD = 'spec.domain.firmware.kernelBoot.container';
/** No kernel, and no initrd that a firmware would load, is as large. */
const MOST_BYTES = 1024 ** 3;
/** So much is left for others. */
const KEPT_BYTES = 64 * 1024 ** 2;

/**
 * Puts the kernel of an instance, and what it starts with, where its hypervisor finds them: at the same path on every node.
 * Undefined when it boots from a disk; when they are there already, that is all.
 */
export async function prepareKernel(place: KernelPlace): Promise<BootKernel | undefined> {
  const container = place.instance.spec.domain.firmware?.kernelBoot?.container;
  if (container === undefined) return undefined;
  const { kernelPath, initrdPath } = container;
  const root = imageDirectory(place);
  return {
    kernel: kernelPath === undefined ? undefined : await preparePart(place, { root, path: kernelPath, name: 'kernel' }),
    initrd: initrdPath === undefined ? undefined : await preparePart(place, { root, path: initrdPath, name: 'initrd' }),
  };
}

function imageDirectory({ sandbox }: KernelPlace): string {
  const volume = sandbox.volumes[KERNEL_VOLUME];
  if (volume?.kind === 'directory') return volume.path;
  const pod = `${sandbox.namespace}/${sandbox.name}`;
  const problem = sandbox.problems?.[KERNEL_VOLUME];
  const message =
    problem === undefined
      ? `the pod ${pod} has no volume ${KERNEL_VOLUME} on this node; see the events of the pod`
      : `the image of the pod ${pod}: ${problem}`;
  throw kernelError('volume-not-ready', 'image', message);
}

interface KernelPart {
  readonly root: string;
  /** In the image. */
  readonly path: string;
  readonly name: 'kernel' | 'initrd';
}

async function preparePart({ directory }: KernelPlace, { root, path, name }: KernelPart): Promise<string> {
  const field = `${name}Path`;
  const found = await findInside(root, path);
  if (found.kind !== 'found') {
    const leadsOut = `${path} leads out of the image; name a file in it`;
    const isMissing = `the image holds no file ${path}; name one that is there, such as /boot/vmlinuz`;
    throw kernelError('bad-volume', field, found.kind === 'outside' ? leadsOut : isMissing);
  }
  const { size } = await requireFile(found.path, { field, path });
  const place = join(directory, 'kernel-boot', name);
  if (await lstat(place).catch(unless('ENOENT'))) return place;
  await ensureDirectory(dirname(place));
  await requireRoom(dirname(place), size, field);
  await copyWhole(found.path, place);
  return place;
}

/** A file of the image's owner: holes in it would be filled on this node, so what it says of its size counts. */
async function requireFile(
  file: string,
  { field, path }: { readonly field: string; readonly path: string },
): Promise<{ readonly size: number }> {
  const found = await lstat(file);
  if (!found.isFile()) throw kernelError('bad-volume', field, `${path} is no file`);
  if (found.size <= MOST_BYTES) return found;
  const message = `${path} has ${found.size} bytes, and at most ${MOST_BYTES} are copied; put what is larger on a disk`;
  throw kernelError('bad-volume', field, message);
}

/** Guests that run here need the room too: they stand still when none is left. */
async function requireRoom(directory: string, size: number, field: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize - size >= KEPT_BYTES) return;
  const message = `${directory} has no room for ${size} bytes more; make room on the node`;
  throw kernelError('disk-full', field, message);
}

/** A copy: libvirt makes the file the guest's own while it runs, and others boot from the same image. */
async function copyWhole(source: string, path: string): Promise<void> {
  const growing = `${path}.growing`;
  try {
    await copyFile(source, growing, constants.COPYFILE_FICLONE);
    await rename(growing, path);
  } catch (error) {
    await rm(growing, { force: true });
    throw writeError(error, dirname(path));
  }
}

function kernelError(code: VirtHandlerErrorCode, subfield: string, message: string): VirtHandlerError {
  const field = `${FIELD}.${subfield}`;
  return new VirtHandlerError(code, `${field}: ${message}`, { field });
}

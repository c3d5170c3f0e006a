import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import type { BootKernel } from '@smalt/domain-xml';
import { KERNEL_VOLUME } from '@smalt/vm-lifecycle';

import { VirtHandlerError, type VirtHandlerErrorCode } from '../../virt-handler-error.ts';
import { copyOnce } from '../files/copy-once.ts';
import { findInside } from '../files/inside.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

/** Where a kernel comes from, and where it goes. */
export type KernelPlace = Pick<VolumeRequest, 'instance' | 'sandbox' | 'directory'>;

const FIELD = 'spec.domain.firmware.kernelBoot.container';
/** No kernel, and no initrd that a firmware would load, is as large. */
const MOST_BYTES = 1024 ** 3;

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
  await requireFile(found.path, { field, path });
  const place = join(directory, 'kernel-boot', name);
  // A copy: libvirt makes the file the guest's own while it runs, and others boot from the same image.
  await copyOnce(found.path, place, (message) => kernelError('disk-full', field, message));
  return place;
}

/** A file of the image's owner: holes in it would be filled on this node, so what it says of its size counts. */
async function requireFile(
  file: string,
  { field, path }: { readonly field: string; readonly path: string },
): Promise<void> {
  const found = await lstat(file);
  if (!found.isFile()) throw kernelError('bad-volume', field, `${path} is no file`);
  if (found.size <= MOST_BYTES) return;
  const message = `${path} has ${found.size} bytes, and at most ${MOST_BYTES} are copied; put what is larger on a disk`;
  throw kernelError('bad-volume', field, message);
}

function kernelError(code: VirtHandlerErrorCode, subfield: string, message: string): VirtHandlerError {
  const field = `${FIELD}.${subfield}`;
  return new VirtHandlerError(code, `${field}: ${message}`, { field });
}

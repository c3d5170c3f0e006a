import { rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';
import type { SandboxVolume } from '@smalt/pod-sandbox';

import { countMountsAt, isMountPassedOn, mountFlagsAt } from '../../sync/end/mounts-below.ts';
import { volumeError } from '../volume-error.ts';
import type { ReleaseRequest, VolumeRequest } from '../volume-plugin.ts';
import { ensureDirectory } from './ensure-file.ts';
import { unless } from './file-error.ts';
import { sandboxVolume } from './sandbox-volume.ts';
import { requireVolumeName } from './volume-name.ts';

const MOUNT = { name: 'mount', debianPackage: 'mount' } as const;
const UNMOUNT = { name: 'umount', debianPackage: 'mount' } as const;

/** What may be done with an image that is shown, or with what the guest may only read. */
const READ_ONLY_FLAGS = ['ro', 'nosuid', 'nodev', 'noexec'];
/** Others write to a claim too: a link that they put in the place of a disk must not lead libvirt to a file of the node. */
const CLAIM_FLAGS = ['nosymfollow'];

/** How a volume is shown. */
export interface Showing {
  /** Whether links in a claim are followed: only where it is the guest that looks at them. */
  readonly followsLinks?: boolean;
  /** Whether nobody may write to it where it is shown: by virtiofs a guest does so as root. It is shown then wherever it lies. */
  readonly isReadOnly?: boolean;
}

/**
 * A volume of the pod where the process of the guest gets to it: one that lies where nobody but root does is shown in the
 * directory of the instance, an image read-only, a claim without its links; and so is one that may only be read. When it is shown
 * already, that is all.
 */
export async function showVolume(
  request: VolumeRequest,
  subfield: string,
  signal: AbortSignal,
  { followsLinks = false, isReadOnly = false }: Showing = {},
): Promise<SandboxVolume> {
  const volume = sandboxVolume(request, subfield);
  if (volume.kind === 'block' || (volume.isHidden !== true && !isReadOnly)) return volume;
  const path = shownAt(request);
  await ensureDirectory(path);
  const claimFlags = followsLinks ? [] : CLAIM_FLAGS;
  const flags = isReadOnly || volume.isImage === true ? READ_ONLY_FLAGS : claimFlags;
  if ((await isSame(volume.path, path)) && (!isReadOnly || (await isReadOnlyAt(path)))) return { ...volume, path };
  // One that another pod of the instance had here before, or that could be written to.
  await hideVolume(request, signal);
  try {
    if (volume.isHidden !== true) await requirePassedOn(path);
    await mountWith(flags, [volume.path, path], signal);
    await requireMount(path, signal);
  } catch (cause) {
    signal.throwIfAborted();
    const message = `it cannot be shown to the guest: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw volumeError('volume-not-ready', request, subfield, { message, cause });
  }
  return { ...volume, path };
}

/**
 * Takes what was shown of a volume away again, also while a process that ends still uses it. Throws `bad-volume` for a name that
 * would lead to mounts of others.
 */
export async function hideVolume(request: ReleaseRequest, signal: AbortSignal): Promise<void> {
  await unmount(shownAt(request), signal);
  await unmount(draftOf(shownAt(request)), signal);
}

/** Where a volume is shown to libvirt and to the process of the guest. */
function shownAt(request: ReleaseRequest): string {
  requireVolumeName(request);
  return join(request.directory, 'shown', request.volume.name);
}

/**
 * What a mount may is not passed on to other mount namespaces when it changes, only when the mount is made: so the one that
 * the node sees is made of another that has its flags already.
 */
async function mountWith(
  flags: readonly string[],
  [source, place]: readonly [source: string, place: string],
  signal: AbortSignal,
): Promise<void> {
  const draft = draftOf(place);
  await ensureDirectory(draft);
  try {
    await runProgram(MOUNT, ['--bind', '--', source, draft], { signal });
    // Else what others mount below the source later would be here too, and go there when this is unmounted.
    await runProgram(MOUNT, ['--make-private', '--', draft], { signal });
    if (flags.length > 0)
      await runProgram(MOUNT, ['-o', ['remount', 'bind', ...flags].join(','), '--', draft], { signal });
    await requireFlags(draft, flags);
    await runProgram(MOUNT, ['--bind', '--', draft, place], { signal });
  } finally {
    await unmount(draft, signal);
  }
  await rmdir(draft);
}

/** A kubelet has its mounts passed on; beside a pod runner, libvirt would take the empty place for the volume. */
async function requirePassedOn(place: string): Promise<void> {
  if (await isMountPassedOn(place)) return;
  throw new Error(
    `libvirt may not see what is mounted at ${place}; run mount --make-shared on the mount point it is below and start libvirt again, or switch a host of smalt up off and on`,
  );
}

/** An older mount(8) says nothing of flags that it does not know. */
async function requireFlags(place: string, flags: readonly string[]): Promise<void> {
  const present = (await mountFlagsAt(place)) ?? [];
  const missing = flags.filter((flag) => !present.includes(flag));
  if (missing.length === 0) return;
  const message = `this node cannot mount with ${missing.join(', ')}; it needs Linux 5.10 and mount of util-linux 2.38, or newer`;
  throw new Error(message);
}

/** No volume is called so. */
function draftOf(place: string): string {
  return `${place}.new`;
}

/** What is not found again would be deleted with the files of the instance. */
async function requireMount(place: string, signal: AbortSignal): Promise<void> {
  if ((await countMountsAt(place)) > 0) return;
  await runProgram(UNMOUNT, ['--lazy', '--', place], { signal });
  throw new Error(`${place} is not among the mounts of this process`);
}

async function unmount(place: string, signal: AbortSignal): Promise<void> {
  for (let left = await countMountsAt(place); left > 0; left--) {
    await runProgram(UNMOUNT, ['--lazy', '--', place], { signal });
  }
}

async function isReadOnlyAt(place: string): Promise<boolean> {
  return (await mountFlagsAt(place))?.includes('ro') === true;
}

async function isSame(source: string, place: string): Promise<boolean> {
  const [left, right] = await Promise.all([source, place].map((path) => stat(path).catch(unless('ENOENT'))));
  return left !== undefined && left.dev === right?.dev && left.ino === right.ino;
}

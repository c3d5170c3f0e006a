import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { mountAt, parseMountTable, pathsOf, type Mount } from '../mounts/mount-table.ts';
import type { SandboxVolume } from '../pod-sandbox.ts';
import type { SandboxProcess } from '../process/sandbox-process.ts';
import type { KubeletPod } from './kubelet-pod.ts';

/** Where the volumes of a container lie on the node, and of those that cannot be reached, why. */
export interface LocatedVolumes {
  readonly volumes: Readonly<Record<string, SandboxVolume>>;
  readonly problems: Readonly<Record<string, string>>;
}

type Located = SandboxVolume | { readonly problem: string };

/**
 * Finds the volumes that a container has mounted. Which directory of the node that is the kernel tells, by the mounts of the
 * process: whatever kubelet, driver or runtime has brought them there, and whatever the container calls them now.
 */
export async function locateVolumes(
  { spec }: KubeletPod,
  { processId }: Pick<SandboxProcess, 'processId'>,
): Promise<LocatedVolumes> {
  const [container] = spec.containers;
  const images = new Set((spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name));
  const tables: Tables = { inside: await mountsOf(processId), here: await mountsOf('self') };
  const volumes: Record<string, SandboxVolume> = {};
  const problems: Record<string, string> = {};
  const keep = (name: string, located: Located): void => {
    if ('problem' in located) problems[name] = located.problem;
    else volumes[name] = located;
  };
  for (const { name, mountPath } of container?.volumeMounts ?? []) {
    const found = await locateDirectory(tables, { root: `/proc/${processId}/root`, mountPath });
    keep(name, images.has(name) && !('problem' in found) ? { ...found, isImage: true } : found);
  }
  for (const { name, devicePath } of container?.volumeDevices ?? []) {
    keep(name, await locateDevice(`/proc/${processId}/root`, devicePath));
  }
  return { volumes, problems };
}

interface Tables {
  readonly inside: readonly Mount[];
  readonly here: readonly Mount[];
}

interface Place {
  /** The root of the container, as seen from here. */
  readonly root: string;
  readonly mountPath: string;
}

async function locateDirectory({ inside, here }: Tables, { root, mountPath }: Place): Promise<Located> {
  const mount = spellings(mountPath)
    .map((path) => mountAt(inside, path))
    .find((found) => found !== undefined);
  if (mount === undefined) return { problem: `the container has nothing mounted at ${mountPath}` };
  const own = await statIfThere(join(root, mount.mountPoint));
  for (const path of pathsOf(here, mount)) {
    // A link on the way, or another file system mounted above it, would be something else than what the pod has.
    const seen = (await realpathIfThere(path)) === path ? await statIfThere(path) : undefined;
    if (own !== undefined && seen?.dev === own.dev && seen.ino === own.ino)
      return { kind: 'directory', path, isHidden: true };
  }
  return {
    problem: `what the pod has at ${mountPath} cannot be seen by virt-handler: mount what it lies in on the node into it (the directory of the kubelet's pods, that of the container runtime, or that of a hostPath), at the same path and with the propagation HostToContainer`,
  };
}

/** In most images `/var/run` is a link, and the kernel tells where it leads. */
function spellings(path: string): readonly string[] {
  return path.startsWith('/var/run/') ? [path, path.slice('/var'.length)] : [path];
}

async function locateDevice(root: string, devicePath: string): Promise<Located> {
  const device = await lstat(join(root, devicePath), { bigint: true }).catch(undefinedIfMissing);
  if (device?.isBlockDevice() !== true) return { problem: `the container has no block device at ${devicePath}` };
  const name = await deviceName(device.rdev);
  const path = `/dev/${name}`;
  const seen = name === undefined ? undefined : await lstat(path, { bigint: true }).catch(undefinedIfMissing);
  if (seen?.isBlockDevice() === true && seen.rdev === device.rdev) return { kind: 'block', path };
  const numbers = printDevice(device.rdev);
  return { problem: `the block device ${numbers} is not in /dev: mount /dev of the node into virt-handler` };
}

/** What the kernel calls a block device, which is its name in `/dev`. */
async function deviceName(device: bigint): Promise<string | undefined> {
  const text = await readFile(`/sys/dev/block/${printDevice(device)}/uevent`, 'utf8').catch(undefinedIfMissing);
  return /^DEVNAME=([\w!/.-]+)$/m.exec(text ?? '')?.[1];
}

/** The numbers of a device as the kernel prints them, `8:16`. */
export function printDevice(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

async function mountsOf(process: number | 'self'): Promise<readonly Mount[]> {
  return parseMountTable((await readFile(`/proc/${process}/mountinfo`, 'utf8').catch(undefinedIfMissing)) ?? '');
}

async function statIfThere(path: string): Promise<{ readonly dev: bigint; readonly ino: bigint } | undefined> {
  return await stat(path, { bigint: true }).catch(undefinedIfMissing);
}

async function realpathIfThere(path: string): Promise<string | undefined> {
  return await realpath(path).catch(undefinedIfMissing);
}

/** A process that ends while it is looked at gives ESRCH or EINVAL. */
function undefinedIfMissing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['ENOENT', 'ENOTDIR', 'ESRCH', 'EINVAL', 'ELOOP'].includes(code)) return undefined;
  throw error;
}

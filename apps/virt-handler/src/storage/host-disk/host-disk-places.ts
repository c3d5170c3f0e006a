import { isInside } from '../files/inside.ts';
import { resolvePath } from '../files/resolve-path.ts';

/** Where disks of the node may lie. */
export interface HostDiskPlaces {
  /** Somewhere below one of these; nowhere when there are none. */
  readonly directories: readonly string[];
  /** Never below one of these, which have the files of all instances. */
  readonly stateDirectories: readonly string[];
}

/** Why no host disk may lie at a real path, given the real paths of the places; undefined where it may. */
export function refuseHostPath(path: string, { directories, stateDirectories }: HostDiskPlaces): string | undefined {
  const state = stateDirectories.find((each) => each === path || isInside(each, path) || isInside(path, each));
  if (state !== undefined) return `belongs to Smalt's own state in ${state}; move the disk elsewhere`;
  if (directories.some((each) => isInside(each, path))) return undefined;
  const ask = 'ask who runs the node to name a directory in the setting hostDisk.directories of its virt-handler';
  if (directories.length === 0) return `is not open to guests, as nothing of this node is; ${ask}`;
  return `is below none of ${directories.join(', ')}; move the disk there, or ${ask}`;
}

/** The same places, with links followed: what is compared has to be real on both sides. */
export async function resolvePlaces({ directories, stateDirectories }: HostDiskPlaces): Promise<HostDiskPlaces> {
  return {
    directories: await Promise.all(directories.map(resolvePath)),
    stateDirectories: await Promise.all(stateDirectories.map(resolvePath)),
  };
}

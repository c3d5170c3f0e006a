import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { ImageStore } from '@smalt/image-store';
import type { SandboxVolume } from '@smalt/pod-sandbox';

import { launcherUser } from '../launch/launcher-arguments.ts';
import type { RunnerPod, RunnerVolume } from '../pods/pod.ts';
import type { FileSource } from './file-source.ts';
import { readFiles, type FileReading } from './read-files.ts';
import type { VolumeFiles } from './volume-files.ts';
import { volumeSource, type VolumeSource } from './volume-source.ts';

export interface VolumeDependencies extends FileReading {
  readonly images: Pick<ImageStore, 'exposeIn'>;
  readonly claims: ClaimFinder;
}

/** Finds where the volume of a claim lies on this node. */
export interface ClaimFinder {
  /** Throws `volume-not-ready` while it lies nowhere, or on another node. */
  find(pod: RunnerPod, claimName: string, signal: AbortSignal): Promise<SandboxVolume>;
}

interface Place {
  readonly pod: RunnerPod;
  readonly volumeName: string;
  readonly path: string;
}

/** Whoever may pass through can read: a secret keeps its own files to itself. */
const SHARED = { directory: 0o711, file: 0o644 };
const SECRET = { directory: 0o700, file: 0o600 };

/** Where a volume of a pod lies in the directory of that pod. */
export function volumePath(directory: string, volumeName: string): string {
  return join(directory, 'volumes', volumeName);
}

/**
 * Makes the volumes of a pod in its directory; those that are there already are left alone. Throws `volume-not-ready` for
 * what may come, `invalid-pod` for what never will, and what the image store throws.
 */
export async function prepareVolumes(
  dependencies: VolumeDependencies,
  { pod, directory }: { readonly pod: RunnerPod; readonly directory: string },
  signal: AbortSignal,
): Promise<Readonly<Record<string, SandboxVolume>>> {
  const volumes: Record<string, SandboxVolume> = {};
  for (const volume of pod.spec.volumes ?? []) {
    if (isShownAlone(pod, volume)) continue;
    const place = { pod, volumeName: volume.name, path: volumePath(directory, volume.name) };
    volumes[volume.name] = await prepareVolume(dependencies, volumeSource(volume), { ...place, signal });
  }
  return volumes;
}

/** A directory of the node that no container mounts is there for policies to see. Nothing is made of it, and nobody gets it. */
function isShownAlone({ spec }: RunnerPod, { name, hostPath }: RunnerVolume): boolean {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const isMounted = containers.some(({ volumeMounts = [] }) => volumeMounts.some((mount) => mount.name === name));
  return hostPath !== undefined && !isMounted;
}

async function prepareVolume(
  dependencies: VolumeDependencies,
  source: VolumeSource,
  place: Place & { readonly signal: AbortSignal },
): Promise<SandboxVolume> {
  const { images, claims } = dependencies;
  const { pod, path, signal } = place;
  switch (source.kind) {
    case 'empty':
      return await makeEmpty(path, pod);
    case 'image':
      await mkdir(path, { recursive: true, mode: SHARED.directory });
      await images.exposeIn(path, source.reference);
      return { kind: 'directory', path };
    case 'config-map':
    case 'secret':
    case 'downward':
      return await writeFiles(path, await readFiles(dependencies, [source], place), modesOf([source]));
    case 'projected':
      return await writeFiles(path, await readFiles(dependencies, source.sources, place), modesOf(source.sources));
    case 'claim':
      return await claims.find(pod, source.name, signal);
  }
}

function modesOf(sources: readonly FileSource[]): typeof SHARED {
  return sources.some(({ kind }) => kind === 'secret' || kind === 'token') ? SECRET : SHARED;
}

async function makeEmpty(path: string, pod: RunnerPod): Promise<SandboxVolume> {
  const { userId, groupId } = launcherUser(pod);
  await mkdir(path, { recursive: true, mode: 0o750 });
  await chown(path, userId, groupId);
  return { kind: 'directory', path };
}

/** Writes all files, or none: whoever finds the directory finds everything in it. */
async function writeFiles(path: string, files: VolumeFiles, modes: typeof SHARED): Promise<SandboxVolume> {
  const draft = `${path}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: modes.directory });
  for (const [name, content] of files) {
    await mkdir(dirname(join(draft, name)), { recursive: true, mode: modes.directory });
    await writeFile(join(draft, name), content, { mode: modes.file });
  }
  await rm(path, { recursive: true, force: true });
  await rename(draft, path);
  return { kind: 'directory', path };
}

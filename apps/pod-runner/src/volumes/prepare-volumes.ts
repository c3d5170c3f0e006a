import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

import type { ImageStore } from '@smalt/image-store';
import { isNotFound, type KubeClient } from '@smalt/kube';
import type { SandboxVolume } from '@smalt/pod-sandbox';

import { launcherUser } from '../launch/launcher-arguments.ts';
import { PodRunnerError } from '../pod-runner-error.ts';
import type { RunnerPod } from '../pods/pod.ts';
import { downwardFiles, filesOf, type VolumeFiles } from './volume-files.ts';
import { configMapKind, secretKind } from './volume-kinds.ts';
import { volumeSource, type VolumeSource } from './volume-source.ts';

export interface VolumeDependencies {
  readonly client: KubeClient;
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
  readonly path: string;
}

/** Whoever may pass through can read: a secret keeps its own files to itself. */
const SHARED = { directory: 0o711, file: 0o644 };
const SECRET = { directory: 0o700, file: 0o600 };

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
    const place = { pod, path: join(directory, 'volumes', volume.name) };
    volumes[volume.name] = await prepareVolume(dependencies, volumeSource(volume), { ...place, signal });
  }
  return volumes;
}

async function prepareVolume(
  { client, images, claims }: VolumeDependencies,
  source: VolumeSource,
  { pod, path, signal }: Place & { readonly signal: AbortSignal },
): Promise<SandboxVolume> {
  switch (source.kind) {
    case 'empty':
      return await makeEmpty(path, pod);
    case 'image':
      await mkdir(path, { recursive: true, mode: SHARED.directory });
      await images.exposeIn(path, source.reference);
      return { kind: 'directory', path };
    case 'config-map':
    case 'secret':
      return await writeFiles(path, await readObject(client, source, { pod, signal }), modesOf(source.kind));
    case 'downward':
      return await writeFiles(path, downwardFiles(pod, source.items), SHARED);
    case 'claim':
      return await claims.find(pod, source.name, signal);
    case 'host':
      if (!isAbsolute(source.path))
        throw new PodRunnerError('invalid-pod', `hostPath: "${source.path}" is not absolute`);
      return { kind: 'directory', path: source.path };
  }
}

function modesOf(kind: 'config-map' | 'secret'): typeof SHARED {
  return kind === 'secret' ? SECRET : SHARED;
}

async function makeEmpty(path: string, pod: RunnerPod): Promise<SandboxVolume> {
  const { userId, groupId } = launcherUser(pod);
  await mkdir(path, { recursive: true, mode: 0o750 });
  await chown(path, userId, groupId);
  return { kind: 'directory', path };
}

async function readObject(
  client: KubeClient,
  { kind, name, files }: Extract<VolumeSource, { readonly kind: 'config-map' | 'secret' }>,
  { pod, signal }: { readonly pod: RunnerPod; readonly signal: AbortSignal },
): Promise<VolumeFiles> {
  const { namespace } = pod.metadata;
  const what = `${kind === 'secret' ? 'the Secret' : 'the ConfigMap'} ${namespace ?? ''}/${name}`;
  const objects = kind === 'secret' ? client.resource(secretKind) : client.resource(configMapKind);
  try {
    return filesOf(await objects.get(name, { namespace, signal }), files, what);
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    if (files.isOptional) return new Map();
    throw new PodRunnerError('volume-not-ready', `${what} is missing; create it`, { cause });
  }
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

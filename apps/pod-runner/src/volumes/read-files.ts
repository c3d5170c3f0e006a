import { isNotFound, type KubeClient } from '@smalt/kube';

import { PodRunnerError } from '../pod-runner-error.ts';
import type { RunnerPod } from '../pods/pod.ts';
import type { FileSource, ObjectSource, TokenSource } from './file-source.ts';
import { downwardFiles, filesOf, type VolumeFiles } from './volume-files.ts';
import { configMapKind, secretKind } from './volume-kinds.ts';

export interface FileReading {
  readonly client: KubeClient;
  readonly tokens: TokenIssuer;
}

/** Gets tokens of the service accounts that pods run as. */
export interface TokenIssuer {
  /** Throws `volume-not-ready` while there is no such account. */
  issue(place: TokenPlace, source: TokenSource, signal: AbortSignal): Promise<string>;
}

export interface TokenPlace {
  readonly pod: RunnerPod;
  readonly volumeName: string;
}

/** Reads the files of a volume from all of its sources; of two with one path the later counts. */
export async function readFiles(
  reading: FileReading,
  sources: readonly FileSource[],
  place: TokenPlace & { readonly signal: AbortSignal },
): Promise<VolumeFiles> {
  const files = new Map<string, Buffer>();
  for (const source of sources) {
    for (const [path, content] of await readSource(reading, source, place)) files.set(path, content);
  }
  return files;
}

async function readSource(
  { client, tokens }: FileReading,
  source: FileSource,
  { pod, volumeName, signal }: TokenPlace & { readonly signal: AbortSignal },
): Promise<VolumeFiles> {
  switch (source.kind) {
    case 'config-map':
    case 'secret':
      return await readObject(client, source, { pod, signal });
    case 'downward':
      return downwardFiles(pod, source.items);
    case 'token': {
      const token = await tokens.issue({ pod, volumeName }, source, signal);
      return new Map([[source.path, Buffer.from(token)]]);
    }
  }
}

async function readObject(
  client: KubeClient,
  { kind, name, files }: ObjectSource,
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

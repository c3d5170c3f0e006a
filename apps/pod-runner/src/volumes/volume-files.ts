import { checkConfigMapKey } from '@smalt/kubernetes';

import { PodRunnerError } from '../pod-runner-error.ts';
import type { RunnerPod } from '../pods/pod.ts';
import type { DownwardItem, FileChoice } from './file-source.ts';
import type { ConfigMap, Secret } from './volume-kinds.ts';

/** The files of a volume, by their paths in it. */
export type VolumeFiles = ReadonlyMap<string, Buffer>;

/** The files that a ConfigMap or a Secret becomes. Throws `volume-not-ready` when a key that was asked for is missing. */
export function filesOf(object: ConfigMap | Secret, { items }: FileChoice, what: string): VolumeFiles {
  const contents = new Map<string, Buffer>();
  const isSecret = object.kind === 'Secret';
  for (const [key, value] of Object.entries(object.data ?? {})) {
    contents.set(key, Buffer.from(value, isSecret ? 'base64' : 'utf8'));
  }
  const binary = 'binaryData' in object ? object.binaryData : undefined;
  for (const [key, value] of Object.entries(binary ?? {})) contents.set(key, Buffer.from(value, 'base64'));
  if (items === undefined) return new Map([...contents].filter(([key]) => checkConfigMapKey(key).length === 0));
  return new Map(
    items.map(({ key, path }) => {
      const content = contents.get(key);
      if (content !== undefined) return [path, content];
      throw new PodRunnerError('volume-not-ready', `${what} has no key "${key}"; add it, or leave it out of the items`);
    }),
  );
}

/** The files that tell of the pod itself. Throws `invalid-pod` for a field that cannot be told. */
export function downwardFiles(pod: RunnerPod, items: readonly DownwardItem[]): VolumeFiles {
  return new Map(items.map(({ path, field }) => [path, Buffer.from(fieldOf(pod, field))]));
}

function fieldOf({ metadata }: RunnerPod, field: string): string {
  switch (field) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return lines(metadata.labels ?? {});
    case 'metadata.annotations':
      return lines(metadata.annotations ?? {});
    default:
      return namedField(metadata, field);
  }
}

function namedField({ labels, annotations }: RunnerPod['metadata'], field: string): string {
  const [, list, key = ''] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(field) ?? [];
  if (list === undefined) {
    throw new PodRunnerError('invalid-pod', `spec.volumes: the field "${field}" of a pod cannot be shown in a volume`);
  }
  return (list === 'labels' ? labels : annotations)?.[key] ?? '';
}

function lines(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

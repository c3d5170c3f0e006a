import { isJsonObject, type JsonObject } from '@smalt/json';

import type { RunnerVolume } from '../pods/pod.ts';
import {
  downwardSource,
  invalidField,
  objectSource,
  projectedSource,
  requiredText,
  type DownwardSource,
  type FileSource,
  type ObjectSource,
} from './file-source.ts';

/** Where the contents of a volume come from. */
export type VolumeSource =
  | { readonly kind: 'empty' }
  | { readonly kind: 'image'; readonly reference: string }
  | ObjectSource
  | DownwardSource
  | { readonly kind: 'projected'; readonly sources: readonly FileSource[] }
  | { readonly kind: 'claim'; readonly name: string };

/** Reads the source of a volume. Throws `invalid-pod`, naming the field, for one that this node does not have. */
export function volumeSource(volume: RunnerVolume): VolumeSource {
  const { name, ...sources } = volume;
  const [kind = '', ...others] = Object.keys(sources).filter((key) => sources[key] !== undefined);
  const fields = sources[kind];
  const field = `spec.volumes[${name}]`;
  if (others.length > 0) throw invalidField(field, 'has more than one source');
  if (!isJsonObject(fields)) throw invalidField(`${field}.${kind}`, 'is no object');
  return readSource(kind, fields, `${field}.${kind}`);
}

function readSource(kind: string, fields: JsonObject, field: string): VolumeSource {
  switch (kind) {
    case 'emptyDir':
      return { kind: 'empty' };
    case 'image':
      return { kind: 'image', reference: requiredText(fields, 'reference', field) };
    case 'configMap':
      return objectSource('config-map', 'name', fields, field);
    case 'secret':
      return objectSource('secret', 'secretName', fields, field);
    case 'downwardAPI':
      return downwardSource(fields, field);
    case 'projected':
      return { kind: 'projected', sources: projections(fields, field) };
    case 'persistentVolumeClaim':
      return { kind: 'claim', name: requiredText(fields, 'claimName', field) };
    case 'hostPath':
      // What lies in a volume is opened by root for a guest, so its owner must not choose where that is.
      throw invalidField(field, 'is never given to launchers; use a persistentVolumeClaim whose volume lies there');
    default:
      throw invalidField(field, 'is a kind of volume that this node does not have');
  }
}

function projections({ sources }: JsonObject, field: string): readonly FileSource[] {
  if (!Array.isArray(sources)) return [];
  return sources.map((each, index) => projectedSource(each, `${field}.sources[${index}]`));
}

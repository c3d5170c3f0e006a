import { isJsonObject, type JsonObject } from '@smalt/json';

import { PodRunnerError } from '../pod-runner-error.ts';
import type { RunnerVolume } from '../pods/pod.ts';

/** Where the contents of a volume come from. */
export type VolumeSource =
  | { readonly kind: 'empty' }
  | { readonly kind: 'image'; readonly reference: string }
  | { readonly kind: 'config-map' | 'secret'; readonly name: string; readonly files: FileChoice }
  | { readonly kind: 'downward'; readonly items: readonly DownwardItem[] }
  | { readonly kind: 'claim'; readonly name: string }
  | { readonly kind: 'host'; readonly path: string };

/** Which keys become files, and how they are called. */
export interface FileChoice {
  /** All of them when undefined. */
  readonly items: readonly { readonly key: string; readonly path: string }[] | undefined;
  /** Whether the object may be missing. */
  readonly isOptional: boolean;
}

export interface DownwardItem {
  readonly path: string;
  readonly field: string;
}

/** Reads the source of a volume. Throws `invalid-pod`, naming the field, for one that this node does not have. */
export function volumeSource(volume: RunnerVolume): VolumeSource {
  const { name, ...sources } = volume;
  const [kind = '', ...others] = Object.keys(sources).filter((key) => sources[key] !== undefined);
  const fields = sources[kind];
  const field = `spec.volumes[${name}]`;
  if (others.length > 0) throw invalid(field, 'has more than one source');
  if (!isJsonObject(fields)) throw invalid(`${field}.${kind}`, 'is no object');
  return readSource(kind, fields, `${field}.${kind}`);
}

function readSource(kind: string, fields: JsonObject, field: string): VolumeSource {
  switch (kind) {
    case 'emptyDir':
      return { kind: 'empty' };
    case 'image':
      return { kind: 'image', reference: text(fields, 'reference', field) };
    case 'configMap':
      return { kind: 'config-map', name: text(fields, 'name', field), files: fileChoice(fields, field) };
    case 'secret':
      return { kind: 'secret', name: text(fields, 'secretName', field), files: fileChoice(fields, field) };
    case 'downwardAPI':
      return { kind: 'downward', items: downwardItems(fields, field) };
    case 'persistentVolumeClaim':
      return { kind: 'claim', name: text(fields, 'claimName', field) };
    case 'hostPath':
      return { kind: 'host', path: text(fields, 'path', field) };
    default:
      throw invalid(field, 'is a kind of volume that this node does not have');
  }
}

function fileChoice(fields: JsonObject, field: string): FileChoice {
  const { items, optional } = fields;
  const chosen = Array.isArray(items)
    ? items.map((item, index) => {
        const place = `${field}.items[${index}]`;
        if (!isJsonObject(item)) throw invalid(place, 'is no object');
        return { key: text(item, 'key', place), path: filePath(item, place) };
      })
    : undefined;
  return { items: chosen, isOptional: optional === true };
}

function downwardItems({ items }: JsonObject, field: string): readonly DownwardItem[] {
  if (!Array.isArray(items)) return [];
  return items.map((item, index) => {
    const place = `${field}.items[${index}]`;
    const reference = isJsonObject(item) ? item['fieldRef'] : undefined;
    if (!isJsonObject(item) || !isJsonObject(reference)) throw invalid(place, 'names no field of the pod by fieldRef');
    return { path: filePath(item, place), field: text(reference, 'fieldPath', `${place}.fieldRef`) };
  });
}

/** The path of a file in a volume: it stays in there. */
function filePath(item: JsonObject, field: string): string {
  const path = text(item, 'path', field);
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || path.includes('\0')) {
    throw invalid(`${field}.path`, `"${path}" leads out of the volume`);
  }
  return path;
}

function text(fields: JsonObject, name: string, field: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`${field}.${name}`, 'is missing');
}

function invalid(field: string, problem: string): PodRunnerError {
  return new PodRunnerError('invalid-pod', `${field}: ${problem}`);
}

import { isJsonObject, type JsonObject } from '@smalt/json';

import { PodRunnerError } from '../pod-runner-error.ts';

/** Where files of a volume come from. */
export type FileSource = ObjectSource | DownwardSource | TokenSource;

/** A ConfigMap or a Secret. */
export interface ObjectSource {
  readonly kind: 'config-map' | 'secret';
  readonly name: string;
  readonly files: FileChoice;
}

/** The pod itself. */
export interface DownwardSource {
  readonly kind: 'downward';
  readonly items: readonly DownwardItem[];
}

/** A token of the service account that the pod runs as. */
export interface TokenSource {
  readonly kind: 'token';
  readonly path: string;
  /** Whom it is for; the API server when undefined. */
  readonly audience: string | undefined;
  readonly expirationSeconds: number;
}

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

const TOKEN_SECONDS = 3_600;

/** Reads the source of files that a ConfigMap or a Secret is; the name of either stands in its own field. */
export function objectSource(
  kind: ObjectSource['kind'],
  name: string,
  fields: JsonObject,
  field: string,
): ObjectSource {
  return { kind, name: requiredText(fields, name, field), files: fileChoice(fields, field) };
}

/** Reads the source of files that tell of the pod. Throws `invalid-pod`, naming the field. */
export function downwardSource({ items }: JsonObject, field: string): DownwardSource {
  if (!Array.isArray(items)) return { kind: 'downward', items: [] };
  const read = items.map((item, index) => {
    const place = `${field}.items[${index}]`;
    const reference = isJsonObject(item) ? item['fieldRef'] : undefined;
    if (!isJsonObject(item) || !isJsonObject(reference)) {
      throw invalidField(place, 'names no field of the pod by fieldRef');
    }
    return { path: filePath(item, place), field: requiredText(reference, 'fieldPath', `${place}.fieldRef`) };
  });
  return { kind: 'downward', items: read };
}

/** Reads one of the sources of a projected volume. Throws `invalid-pod`, naming the field. */
export function projectedSource(projection: unknown, field: string): FileSource {
  const projections = isJsonObject(projection) ? projection : {};
  const [kind = '', ...others] = Object.keys(projections).filter((key) => projections[key] !== undefined);
  const fields = projections[kind];
  if (others.length > 0) throw invalidField(field, 'has more than one source');
  if (!isJsonObject(fields)) throw invalidField(field, 'has no source');
  const place = `${field}.${kind}`;
  switch (kind) {
    case 'configMap':
      return objectSource('config-map', 'name', fields, place);
    case 'secret':
      return objectSource('secret', 'name', fields, place);
    case 'downwardAPI':
      return downwardSource(fields, place);
    case 'serviceAccountToken':
      return tokenSource(fields, place);
    default:
      throw invalidField(place, 'is a kind of source that this node does not have');
  }
}

/** A text that has to be there. Throws `invalid-pod`, naming the field. */
export function requiredText(fields: JsonObject, name: string, field: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidField(`${field}.${name}`, 'is missing');
}

export function invalidField(field: string, problem: string): PodRunnerError {
  return new PodRunnerError('invalid-pod', `${field}: ${problem}`);
}

function tokenSource(fields: JsonObject, field: string): TokenSource {
  const { audience, expirationSeconds = TOKEN_SECONDS } = fields;
  if (typeof expirationSeconds !== 'number' || !Number.isInteger(expirationSeconds)) {
    throw invalidField(`${field}.expirationSeconds`, 'is no number of seconds');
  }
  return {
    kind: 'token',
    path: filePath(fields, field),
    audience: typeof audience === 'string' && audience !== '' ? audience : undefined,
    expirationSeconds,
  };
}

function fileChoice(fields: JsonObject, field: string): FileChoice {
  const { items, optional } = fields;
  const chosen = Array.isArray(items)
    ? items.map((item, index) => {
        const place = `${field}.items[${index}]`;
        if (!isJsonObject(item)) throw invalidField(place, 'is no object');
        return { key: requiredText(item, 'key', place), path: filePath(item, place) };
      })
    : undefined;
  return { items: chosen, isOptional: optional === true };
}

/** The path of a file in a volume: it stays in there. */
function filePath(item: JsonObject, field: string): string {
  const path = requiredText(item, 'path', field);
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || path.includes('\0')) {
    throw invalidField(`${field}.path`, `"${path}" leads out of the volume`);
  }
  return path;
}

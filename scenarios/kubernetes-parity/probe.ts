import type { JsonValue } from '@smalt/json';

export interface RequestStep {
  readonly kind: 'request';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue | Buffer | undefined;
  /** Names under which later steps find values of the answer: a name to a path such as `metadata.uid`. */
  readonly save: Readonly<Record<string, string>>;
}

export interface WatchStep {
  readonly kind: 'watch';
  readonly label: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface CollectStep {
  readonly kind: 'collect';
  readonly label: string;
  /** How many events are waited for. */
  readonly count: number;
}

/** Asks until the answer is the one that is waited for; it is not recorded. */
export interface UntilStep {
  readonly kind: 'until';
  readonly request: RequestStep;
  readonly path: string;
  readonly value: JsonValue;
}

export type Step = RequestStep | WatchStep | CollectStep | UntilStep;

/**
 * A short conversation with a server. In paths and bodies `{ns}` is a namespace of its own, `{run}` a word of this run,
 * `{group}` the group of the kind Machine, and any other name a value that an earlier step has saved.
 */
export interface Probe {
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly save?: Readonly<Record<string, string>>;
}

export function probe(name: string, ...steps: readonly Step[]): Probe {
  return { name, steps };
}

export function get(path: string, options: RequestOptions = {}): RequestStep {
  return request('GET', path, undefined, options);
}

export function post(path: string, body: JsonValue | Buffer, options: RequestOptions = {}): RequestStep {
  return request('POST', path, body, options);
}

export function put(path: string, body: JsonValue, options: RequestOptions = {}): RequestStep {
  return request('PUT', path, body, options);
}

export function remove(path: string, body?: JsonValue, options: RequestOptions = {}): RequestStep {
  return request('DELETE', path, body, options);
}

const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** A patch of one of the four kinds. */
export function patch(
  kind: keyof typeof PATCH_TYPES,
  path: string,
  body: JsonValue,
  options: RequestOptions = {},
): RequestStep {
  const headers = { 'content-type': PATCH_TYPES[kind], ...options.headers };
  return request('PATCH', path, body, { ...options, headers });
}

/** The same of a text, for what no value can say. */
export function rawPatch(kind: keyof typeof PATCH_TYPES, path: string, body: string): RequestStep {
  return request('PATCH', path, body, { headers: { 'content-type': PATCH_TYPES[kind] } });
}

export function request(
  method: string,
  path: string,
  body: JsonValue | Buffer | undefined,
  options: RequestOptions = {},
): RequestStep {
  return { kind: 'request', method, path, headers: options.headers ?? {}, body, save: options.save ?? {} };
}

/** Opens a watch that runs beside the next steps. */
export function watch(label: string, path: string, headers: Readonly<Record<string, string>> = {}): WatchStep {
  return { kind: 'watch', label, path, headers };
}

/** Ends a watch when it has told so many events, and records them. */
export function collect(label: string, count: number): CollectStep {
  return { kind: 'collect', label, count };
}

/** Waits for what a server does in its own time. */
export function until(step: RequestStep, path: string, value: JsonValue): UntilStep {
  return { kind: 'until', request: step, path, value };
}

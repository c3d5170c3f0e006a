import type { JsonObject } from '@smalt/json';

/** Which of the query parameters an operation takes. */
export type OperationKind = 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

interface ParameterText {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
}

const PRETTY: ParameterText = {
  name: 'pretty',
  type: 'string',
  description: 'Whether to lay the answer out for people.',
};
const DRY_RUN: ParameterText = {
  name: 'dryRun',
  type: 'string',
  description: 'With `All`, everything is done but storing the result.',
};
const FIELD_MANAGER: ParameterText = {
  name: 'fieldManager',
  type: 'string',
  description: 'The name that the written fields are recorded under.',
};
const FIELD_VALIDATION: ParameterText = {
  name: 'fieldValidation',
  type: 'string',
  description: 'What becomes of unknown and duplicate fields: `Ignore`, `Warn` or `Strict`.',
};
const FORCE: ParameterText = {
  name: 'force',
  type: 'boolean',
  description: 'Whether an apply takes over fields of other managers.',
};
const LIST: readonly ParameterText[] = [
  { name: 'allowWatchBookmarks', type: 'boolean', description: 'Whether a watch may send bookmarks.' },
  { name: 'continue', type: 'string', description: 'Where the next part of a list starts, as the last part said.' },
  { name: 'fieldSelector', type: 'string', description: 'Limits the objects by their fields.' },
  { name: 'labelSelector', type: 'string', description: 'Limits the objects by their labels.' },
  { name: 'limit', type: 'integer', description: 'The most objects to answer with at once.' },
  { name: 'resourceVersion', type: 'string', description: 'The state to answer from, or to watch from.' },
  {
    name: 'resourceVersionMatch',
    type: 'string',
    description: 'How resourceVersion is meant: `Exact` or `NotOlderThan`.',
  },
  { name: 'sendInitialEvents', type: 'boolean', description: 'Whether a watch starts with what is there.' },
  { name: 'timeoutSeconds', type: 'integer', description: 'How long the call may take.' },
];
const DELETE: readonly ParameterText[] = [
  { name: 'gracePeriodSeconds', type: 'integer', description: 'How long the object may take to end.' },
  { name: 'orphanDependents', type: 'boolean', description: 'Use propagationPolicy instead.' },
  {
    name: 'propagationPolicy',
    type: 'string',
    description: 'What becomes of dependents: `Orphan`, `Background` or `Foreground`.',
  },
];
const WATCH: ParameterText = {
  name: 'watch',
  type: 'boolean',
  description: 'Whether to be told of changes from now on.',
};
const WRITE: readonly ParameterText[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];

/** The query parameters that operations of a kind take. */
export function queryParameters(kind: OperationKind): readonly ParameterText[] {
  switch (kind) {
    case 'get':
      return [PRETTY];
    case 'list':
      return [PRETTY, ...LIST, WATCH];
    case 'create':
    case 'update':
      return [PRETTY, ...WRITE];
    case 'patch':
      return [PRETTY, ...WRITE, FORCE];
    case 'delete':
      return [PRETTY, DRY_RUN, ...DELETE];
    case 'deletecollection':
      return [PRETTY, DRY_RUN, ...DELETE, ...LIST];
  }
}

/** A query parameter in OpenAPI v3. */
export function parameterV3({ name, type, description }: ParameterText): JsonObject {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

/** A query parameter in OpenAPI v2. */
export function parameterV2({ name, type, description }: ParameterText): JsonObject {
  return { name, in: 'query', description, type, uniqueItems: true };
}

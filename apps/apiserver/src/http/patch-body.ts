import { isJsonObject, type JsonValue } from '@smalt/json';
import { forbidden, required, type Resource } from '@smalt/resource';

import {
  badRequestError,
  invalidError,
  plainUnsupportedMediaTypeError,
  unsupportedMediaTypeError,
} from '../errors/make-status-error.ts';
import type { Patch } from '../registry/patch.ts';
import { mediaType } from './decode-body.ts';
import { isTrue } from './request-info.ts';

/** How a patch is written. */
export type PatchKind = Patch['kind'];

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';
const KINDS: ReadonlyMap<string, PatchKind> = new Map([
  [JSON_PATCH, 'json'],
  [MERGE_PATCH, 'merge'],
  [STRATEGIC_PATCH, 'strategic'],
  [APPLY_PATCH, 'apply'],
]);

/** The kind of a patch by its content type. Throws 415 for one that the resource does not take. */
export function patchKind(contentType: string | undefined, resource: Resource): PatchKind {
  const kind = contentType === undefined ? undefined : KINDS.get(mediaType(contentType));
  // Custom kinds do not say how their lists merge.
  if (kind !== undefined && (resource.isBuiltIn || kind !== 'strategic')) return kind;
  if (resource.isBuiltIn) throw plainUnsupportedMediaTypeError();
  throw unsupportedMediaTypeError([...KINDS.keys()].filter((type) => type !== STRATEGIC_PATCH));
}

/** Whether an apply takes over fields of others. Anything but a no is a yes, as for all flags in a query. */
export function parseForce(query: URLSearchParams): boolean | undefined {
  return query.has('force') ? isTrue(query.get('force')) : undefined;
}

/** Refuses with 422 an apply that says not whose it is, and `force` where it means nothing. */
export function checkPatchOptions(query: URLSearchParams, kind: PatchKind): void {
  const isApply = kind === 'apply';
  const hasManager = (query.get('fieldManager') ?? '') !== '';
  const errors = [
    ...(isApply && !hasManager ? [required('fieldManager', 'is required for apply patch')] : []),
    ...(!isApply && query.has('force') ? [forbidden('force', 'may not be specified for non-apply patch')] : []),
  ];
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', errors);
}

/** Puts together what a patch says. Throws 400 when an apply holds no object. */
export function toPatch(kind: PatchKind, body: JsonValue, force: boolean): Patch {
  if (kind !== 'apply') return { kind, body };
  if (!isJsonObject(body)) throw badRequestError('the body of an apply has to be an object');
  return { kind, body, force };
}

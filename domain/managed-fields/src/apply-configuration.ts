import { isJsonArray, isSameJson, jsonField, type JsonObject } from '@smalt/json';

import { type CompiledEndpoint, compileEndpoint } from './compiled-endpoint.ts';
import { type Conflict, conflictError } from './conflict.ts';
import type { Endpoint } from './endpoint.ts';
import { differenceOf, type FieldSet, hasPath, isEmptySet, recursiveDifferenceOf, unionOf } from './field-set.ts';
import { allowedConflicts, KUBECTL, withLastApplied } from './last-applied.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { type Manager, managerId, type Managers, printManagers, printTime, readManagers } from './managers.ts';
import { mergeObjects } from './merge-objects.ts';
import { managedFieldsOf, metadataOf, withManagedFields, withoutManagedFields } from './object-metadata.ts';
import { ownedFields } from './owned-fields.ts';
import { pruneFields } from './prune-fields.ts';
import { managersBeforeApply } from './record-update.ts';
import { STRIPPED_FIELDS } from './stripped-fields.ts';
import { compareWritten, findConflicts, reconcileManagers, takeFields } from './update-managers.ts';
import { findMisfits } from './validate-object.ts';

export interface ApplyRequest {
  /** The object as it is stored; undefined when there is none yet. */
  readonly live: JsonObject | undefined;
  /** What the applier wants of it. */
  readonly applied: JsonObject;
  readonly manager: string;
  /** Whether to take fields that others own. */
  readonly force: boolean;
  readonly now: Date;
}

/** Where an apply stands before it is decided whether conflicts stop it. */
interface Outcome {
  readonly object: JsonObject;
  readonly managers: Managers;
  readonly conflicts: readonly Conflict[];
}

/**
 * Applies a configuration: the live object with what is applied put over it, and without what this manager applied before
 * but does not any more and nobody else owns. Throws a `conflict` when others own what would change, unless forced. The
 * result is still to be defaulted and validated; what defaults add then is nobody's.
 */
export function applyConfiguration(endpoint: Endpoint, request: ApplyRequest): JsonObject {
  const { applied, manager, now } = request;
  checkRequest(endpoint, request);
  const compiled = compileEndpoint(endpoint);
  const stored = request.live ?? compiled.emptyObject;
  const live = withoutManagedFields(stored);
  const known = readManagers(managedFieldsOf(stored));
  const managers = known.size === 0 ? managersBeforeApply(endpoint, compiled, live, now) : known;
  checkType(endpoint, compiled, applied, live);

  const outcome = merge(endpoint, compiled, { live, applied, manager, managers });
  if (!request.force) refuseConflicts(endpoint, compiled, live, { outcome, manager });
  return finish(endpoint, outcome, live, request);
}

function checkRequest({ apiVersion, kind }: Endpoint, { applied, manager }: ApplyRequest): void {
  if (manager === '') throw new ManagedFieldsError('bad-request', 'fieldManager is required for apply patch');
  if (jsonField(applied, 'apiVersion') !== apiVersion || jsonField(applied, 'kind') !== kind) {
    throw new ManagedFieldsError('bad-request', `invalid object type: ${printKind(applied)}`);
  }
  if (isJsonArray(managedFieldsOf(applied)))
    throw new ManagedFieldsError('bad-request', 'metadata.managedFields must be nil');
}

function printKind(object: JsonObject): string {
  const apiVersion = textOf(object, 'apiVersion');
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textOf(object, 'kind')}`;
}

function textOf(object: JsonObject, name: string): string {
  const value = jsonField(object, name);
  return typeof value === 'string' ? value : '';
}

function checkType(endpoint: Endpoint, { type }: CompiledEndpoint, applied: JsonObject, live: JsonObject): void {
  const wrong = findMisfits(applied, type, false);
  if (wrong !== undefined) throw misfit('patch', applied, wrong);
  const wrongInLive = findMisfits(live, type, true);
  if (wrongInLive !== undefined) throw misfit('live', live, wrongInLive);
}

function misfit(which: 'patch' | 'live', object: JsonObject, wrong: string): ManagedFieldsError {
  const metadata = metadataOf(object);
  const name = `${textOf(metadata, 'namespace')}/${textOf(metadata, 'name')}; ${printKind(object)}`;
  return new ManagedFieldsError('failed', `failed to create typed ${which} object (${name}): ${wrong}`);
}

interface Merge {
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly manager: string;
  readonly managers: Managers;
}

function merge(endpoint: Endpoint, compiled: CompiledEndpoint, { live, applied, manager, managers }: Merge): Outcome {
  const { type, resetFields } = compiled;
  const applier = applierOf(endpoint, manager);
  const id = managerId(applier);
  const current = new Map(reconcileManagers(managers, compiled));
  const last = current.get(id);
  const fields = recursiveDifferenceOf(ownedFields(applied, type), resetFields);
  current.set(id, { ...applier, time: last?.time ?? '', fields });

  const merged = mergeObjects(live, applied, type);
  // Who still applies all that it applied before leaves nothing behind.
  const isGrowing = last === undefined || isEmptySet(differenceOf(last.fields, fields));
  const object = isGrowing ? merged : pruneFields(merged, last.fields, current.values(), type);
  const change = compareWritten(compiled, live, object);
  if (change === undefined) return { object, managers: withoutEmpty(current, id), conflicts: [] };

  const conflicts = findConflicts(current, change, id);
  const changed = unionOf(unionOf(change.added, change.modified), change.removed);
  return { object, managers: withoutEmpty(takeFields(current, changed, id), id), conflicts };
}

function applierOf({ apiVersion, subresource }: Endpoint, manager: string): Omit<Manager, 'fields' | 'time'> {
  return { manager, operation: 'Apply', apiVersion, subresource };
}

/** Managers who own nothing are not listed, and the applier does not own what nobody owns. */
function withoutEmpty(managers: Managers, applierId: string): Managers {
  const result = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const fields: FieldSet = id === applierId ? differenceOf(manager.fields, STRIPPED_FIELDS) : manager.fields;
    if (!isEmptySet(fields)) result.set(id, { ...manager, fields });
  }
  return result;
}

function refuseConflicts(
  endpoint: Endpoint,
  { type }: CompiledEndpoint,
  live: JsonObject,
  { outcome, manager }: { readonly outcome: Outcome; readonly manager: string },
): void {
  if (outcome.conflicts.length === 0) return;
  // kubectl may take over what it had applied from the client's side.
  const allowed = manager === KUBECTL ? allowedConflicts(live, endpoint.apiVersion, type) : undefined;
  const left =
    allowed === undefined ? outcome.conflicts : outcome.conflicts.filter(({ path }) => !hasPath(allowed, path));
  if (left.length > 0) throw conflictError(left);
}

function finish(
  endpoint: Endpoint,
  outcome: Outcome,
  live: JsonObject,
  { applied, manager, now }: ApplyRequest,
): JsonObject {
  const isChanged = !isSameJson(live, outcome.object);
  const managers = isChanged
    ? withTime(outcome.managers, managerId(applierOf(endpoint, manager)), printTime(now))
    : outcome.managers;
  const object = isChanged ? outcome.object : live;
  const annotated = manager === KUBECTL ? withLastApplied(object, applied) : object;
  return withManagedFields(annotated, printManagers(managers));
}

/** An apply that changes nothing keeps its time, so that the object is not written anew. */
function withTime(managers: Managers, id: string, time: string): Managers {
  const manager = managers.get(id);
  return manager === undefined ? managers : new Map([...managers, [id, { ...manager, time }]]);
}

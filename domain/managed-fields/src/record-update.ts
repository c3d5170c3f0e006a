import { isJsonArray, isJsonObject, isSameJson, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { capUpdaters } from './cap-updaters.ts';
import { compareObjects } from './compare-objects.ts';
import { type CompiledEndpoint, compileEndpoint } from './compiled-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { type Managers, parseManagers, printManagers, printTime, readManagers } from './managers.ts';
import { managedFieldsOf, metadataOf, withManagedFields, withoutManagedFields } from './object-metadata.ts';
import { updateManagers } from './update-managers.ts';

const ENTRY_FIELDS = ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource'];

export interface UpdateRequest {
  /** The object as it is stored; undefined on create. */
  readonly live: JsonObject | undefined;
  /** The object as it is to be stored, after patching and defaulting. */
  readonly updated: JsonObject;
  /** From `managerOf`. */
  readonly manager: string;
  readonly now: Date;
}

/**
 * The updated object with the managed fields that follow from the change: what was created, changed or patched is the
 * manager's. Managed fields in the updated object itself count as the ones to start from, and `[]` or `[{}]` clears them.
 */
export function recordUpdate(endpoint: Endpoint, { live, updated, manager, now }: UpdateRequest): JsonObject {
  const compiled = compileEndpoint(endpoint);
  const before = withoutManagedFields(live ?? compiled.emptyObject);
  const after = withoutManagedFields(updated);
  const writer = {
    manager: manager === '' ? 'unknown' : manager,
    operation: 'Update',
    apiVersion: endpoint.apiVersion,
    subresource: endpoint.subresource,
    time: printTime(now),
  } as const;
  const base = baseEntries(endpoint, live, updated);
  try {
    const change = compareObjects(before, after, compiled.type);
    if (change === undefined && base.isLive) return withManagedFields(after, base.entries ?? undefined);
    const managers = base.managers();
    if (managers.size === 0 && isStored(live)) return after;
    const written = change === undefined ? managers : updateManagers(compiled, managers, change, writer);
    return withManagedFields(after, printManagers(capUpdaters(written)));
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    // An object that does not fit its schema is refused later, by validation. Until then nobody owns it.
    return after;
  }
}

interface Base {
  /** Whether these are the managed fields of the live object, as it is with nearly every write. */
  readonly isLive: boolean;
  readonly entries: JsonValue | undefined;
  managers(): Managers;
}

function baseEntries(endpoint: Endpoint, live: JsonObject | undefined, updated: JsonObject): Base {
  const liveEntries = live === undefined ? undefined : managedFieldsOf(live);
  const fromLive: Base = { isLive: true, entries: liveEntries, managers: () => readOrNone(liveEntries) };
  if (endpoint.subresource !== '') return fromLive;
  const entries = managedFieldsOf(updated);
  if (!isJsonArray(entries) || isSameJson(entries, liveEntries)) return fromLive;
  if (isReset(entries)) return { isLive: false, entries: undefined, managers: () => new Map() };
  const managers = parseOrNone(entries);
  return managers.size === 0 ? fromLive : { isLive: false, entries, managers: () => managers };
}

function isReset(entries: readonly JsonValue[]): boolean {
  const [first] = entries;
  if (first === undefined || entries.length > 1) return first === undefined;
  return isJsonObject(first) && ENTRY_FIELDS.every((name) => (jsonField(first, name) ?? '') === '');
}

/** Entries that make no sense are as good as none: a client that does not know them shall not lose them for all. */
function parseOrNone(entries: JsonValue): Managers {
  try {
    return parseManagers(entries);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    return new Map();
  }
}

function readOrNone(entries: JsonValue | undefined): Managers {
  try {
    return readManagers(entries);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    return new Map();
  }
}

/** Who has cleared the managed fields of an object gets no new ones before someone applies to it. */
function isStored(live: JsonObject | undefined): boolean {
  const uid = live === undefined ? undefined : jsonField(metadataOf(live), 'uid');
  return typeof uid === 'string' && uid !== '';
}

/** The managers of an object that had none: all of it is someone's who came before. */
export function managersBeforeApply(
  endpoint: Endpoint,
  compiled: CompiledEndpoint,
  live: JsonObject,
  now: Date,
): Managers {
  const change = compareObjects(compiled.emptyObject, live, compiled.type);
  if (change === undefined) return new Map();
  const { apiVersion, subresource } = endpoint;
  const writer = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion,
    subresource,
    time: printTime(now),
  } as const;
  return updateManagers(compiled, new Map(), change, writer);
}

import { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from '@smalt/json';

import { compareText } from './compare-values.ts';
import type { FieldSet } from './field-set.ts';
import { type MutableObject } from './json-kind.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { parseFieldSet } from './parse-field-set.ts';
import { SELF } from './path-element.ts';

/** Who owns fields. Two entries are the same manager when all of this is the same. */
export interface ManagerName {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A manager and what it owns. */
export interface Manager extends ManagerName {
  readonly fields: FieldSet;
  /** Empty when it is not known. */
  readonly time: string;
}

/** All managers of an object by their identifier. */
export type Managers = ReadonlyMap<string, Manager>;

/** What tells managers apart. An applier is the same in all versions, so that it can go on from one to the next. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerName): string {
  return JSON.stringify({
    ...(manager !== '' && { manager }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  });
}

/** Reads the entries of an object that came from our own store, and so are canonical. */
export function readManagers(entries: JsonValue | undefined): Managers {
  return decode(entries, (fields) => (isFieldSet(fields) ? fields : parseFieldSet(fields)));
}

/** Reads entries that came from outside. Throws what is wrong with them. */
export function parseManagers(entries: JsonValue | undefined): Managers {
  return decode(entries, parseFieldSet);
}

function decode(entries: JsonValue | undefined, read: (fields: JsonValue | undefined) => FieldSet): Managers {
  const managers = new Map<string, Manager>();
  if (entries === undefined || entries === null) return managers;
  if (!isJsonArray(entries)) throw new ManagedFieldsError('failed', 'metadata.managedFields must be a list');
  for (const [at, entry] of entries.entries()) {
    if (!isJsonObject(entry)) throw new ManagedFieldsError('failed', `metadata.managedFields[${at}] must be an object`);
    const manager = decodeEntry(entry, at, read);
    managers.set(managerId(manager), manager);
  }
  return managers;
}

function decodeEntry(entry: JsonObject, at: number, read: (fields: JsonValue | undefined) => FieldSet): Manager {
  const operation = textOf(entry, 'operation');
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('failed', 'operation must be `Apply` or `Update`');
  }
  const apiVersion = textOf(entry, 'apiVersion');
  if (apiVersion === '') throw new ManagedFieldsError('failed', 'apiVersion must not be empty');
  const fieldsType = textOf(entry, 'fieldsType');
  if (fieldsType === '') throw new ManagedFieldsError('failed', `missing fieldsType in managed fields entry ${at}`);
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(
      'failed',
      `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${at}`,
    );
  }
  return {
    manager: textOf(entry, 'manager'),
    operation,
    apiVersion,
    subresource: textOf(entry, 'subresource'),
    time: textOf(entry, 'time'),
    fields: read(jsonField(entry, 'fieldsV1')),
  };
}

function textOf(entry: JsonObject, name: string): string {
  const value = jsonField(entry, name);
  return typeof value === 'string' ? value : '';
}

/** Whether this has the form of a field set. The order of its elements is not looked at. */
function isFieldSet(value: JsonValue | undefined): value is FieldSet {
  if (!isJsonObject(value)) return false;
  for (const element in value) {
    if (element !== SELF && (element[1] !== ':' || !'fkvi'.includes(element.charAt(0)))) return false;
    if (!isFieldSet(value[element])) return false;
  }
  return true;
}

/** The entries for an object's metadata, appliers first, then by time and name; undefined when there are none. */
export function printManagers(managers: Managers): readonly JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].toSorted(compareManagers).map(printManager);
}

function compareManagers(left: Manager, right: Manager): number {
  return (
    compareText(left.operation, right.operation) ||
    secondsOf(left.time) - secondsOf(right.time) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource, right.subresource)
  );
}

/** A time in seconds; 0 when it is not known. */
export function secondsOf(time: string): number {
  const ms = time === '' ? 0 : Date.parse(time);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

function printManager({ manager, operation, apiVersion, time, fields, subresource }: Manager): JsonObject {
  const entry: MutableObject = {};
  if (manager !== '') entry['manager'] = manager;
  entry['operation'] = operation;
  entry['apiVersion'] = apiVersion;
  if (time !== '') entry['time'] = time;
  entry['fieldsType'] = 'FieldsV1';
  entry['fieldsV1'] = fields;
  if (subresource !== '') entry['subresource'] = subresource;
  return entry;
}

/** A time as it stands in entries: to the second. */
export function printTime(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`;
}

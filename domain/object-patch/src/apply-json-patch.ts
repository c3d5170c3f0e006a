import {
  isJsonArray,
  isJsonObject,
  isSameJson,
  jsonField,
  type JsonObject,
  type JsonValue,
  printJson,
} from '@smalt/json';

import { goTypeName } from './go-type-name.ts';
import { indexOf, isIndex, isMutableList, JsonDocument, type Location } from './json-document.ts';
import { ObjectPatchError } from './object-patch-error.ts';

export const MAX_JSON_PATCH_OPERATIONS = 10_000;

const MAX_COPIED_BYTES = 3 * 1024 * 1024;
const FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

interface Run {
  readonly document: JsonDocument;
  /** Copies of copies grow without bound, so their text is counted. */
  copiedBytes: number;
}

/** Applies a JSON patch (RFC 6902), all of it or nothing, with the leniencies that Kubernetes has. */
export function applyJsonPatch(object: JsonObject, patch: JsonValue): JsonObject {
  const operations = decodePatch(patch);
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) {
    const limit = `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${operations.length}`;
    throw new ObjectPatchError('too-large', `Request entity too large: ${limit}`);
  }
  const run: Run = { document: new JsonDocument(object), copiedBytes: 0 };
  for (const operation of operations) applyOperation(run, operation);
  const { root } = run.document;
  if (!isJsonObject(root)) throw unprocessable('the patched document is not an object');
  return root;
}

/** What strict field validation says about a JSON patch: one line for each field that no operation has. */
export function findUnknownPatchFields(patch: JsonValue): readonly string[] {
  if (!isJsonArray(patch)) return [];
  return patch.flatMap((operation, at) =>
    isJsonObject(operation)
      ? Object.keys(operation)
          .filter((name) => !FIELDS.has(name))
          .map((name) => `json patch unknown field "[${at}].${name}"`)
      : [],
  );
}

function decodePatch(patch: JsonValue): readonly JsonObject[] {
  if (patch === null) return [];
  if (!isJsonArray(patch)) throw malformed(patch, 'value of type []handlers.jsonPatchOp');
  return patch.map((operation) => {
    if (operation === null) return {};
    if (!isJsonObject(operation)) throw malformed(operation, 'value of type handlers.jsonPatchOp');
    for (const name of ['op', 'path', 'from']) {
      const field = jsonField(operation, name);
      if (field === undefined || field === null || typeof field === 'string') continue;
      throw malformed(field, `struct field jsonPatchOp.${name} of type string`);
    }
    return operation;
  });
}

function malformed(value: JsonValue, target: string): ObjectPatchError {
  return new ObjectPatchError(
    'malformed',
    `error decoding patch: json: cannot unmarshal ${goTypeName(value)} into Go ${target}`,
  );
}

function unprocessable(detail: string): ObjectPatchError {
  return new ObjectPatchError('unprocessable', detail);
}

function applyOperation(run: Run, operation: JsonObject): void {
  const op = jsonField(operation, 'op');
  const kind = typeof op === 'string' ? op : 'unknown';
  switch (kind) {
    case 'add':
      add(locate(run, 'add', pathOf(operation, 'add')), jsonField(operation, 'value') ?? null);
      return;
    case 'remove':
      remove(locate(run, 'remove', pathOf(operation, 'remove')));
      return;
    case 'replace':
      replace(run, operation);
      return;
    case 'move':
      move(run, operation);
      return;
    case 'copy':
      copy(run, operation);
      return;
    case 'test':
      test(run, operation);
      return;
    default:
      throw unprocessable(`Unexpected kind: ${kind}`);
  }
}

function pathOf(operation: JsonObject, kind: string, name: 'path' | 'from' = 'path'): string {
  const path = jsonField(operation, name);
  if (typeof path !== 'string') throw unprocessable(`${kind} operation failed to decode ${name}: missing value`);
  return path;
}

function locate(run: Run, kind: string, path: string): Location {
  const location = run.document.locate(path);
  if (location === undefined)
    throw unprocessable(`${kind} operation does not apply: doc is missing path: "${path}": missing value`);
  return location;
}

/** A missing field of an object reads as null; a missing item of a list is an error. */
function read({ holder, key }: Location): JsonValue {
  if (!isMutableList(holder)) return jsonField(holder, key) ?? null;
  const index = indexOf(holder, key);
  if (index === undefined) throw noSuchItem(key);
  return holder[index] ?? null;
}

function noSuchItem(key: string): ObjectPatchError {
  return unprocessable(
    isIndex(key)
      ? `Unable to access invalid index: ${Number(key)}: invalid index referenced`
      : `value was not a proper array index: '${key}'`,
  );
}

function add({ holder, key }: Location, value: JsonValue): void {
  if (!isMutableList(holder)) {
    setField(holder, key, value);
    return;
  }
  if (key === '-') {
    holder.push(value);
    return;
  }
  // An item can also be added behind the last one, so the list counts as one longer.
  const length = holder.length + 1;
  const index = isIndex(key) ? Number(key) : Number.NaN;
  const position = index < 0 ? index + length : index;
  if (!(position >= 0 && position < length)) throw noSuchItem(key);
  holder.splice(position, 0, value);
}

function setField(holder: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') throw unprocessable('the field name "__proto__" is not allowed');
  holder[key] = value;
}

function remove({ holder, key }: Location): void {
  if (isMutableList(holder)) {
    const index = indexOf(holder, key);
    if (index === undefined) throw noSuchItem(key);
    holder.splice(index, 1);
    return;
  }
  if (!Object.hasOwn(holder, key)) throw unprocessable(`Unable to remove nonexistent key: ${key}: missing value`);
  delete holder[key];
}

function replace(run: Run, operation: JsonObject): void {
  const path = pathOf(operation, 'replace');
  const value = jsonField(operation, 'value') ?? null;
  if (path === '') {
    if (!isJsonObject(value) && !isJsonArray(value))
      throw unprocessable('replace operation value must be object or array');
    run.document.replaceRoot(value);
    return;
  }
  const location = locate(run, 'replace', path);
  if (!isMutableList(location.holder)) {
    // Kubernetes' patch library does not ask that a replaced field of an object exists.
    setField(location.holder, location.key, value);
    return;
  }
  const index = indexOf(location.holder, location.key);
  if (index === undefined)
    throw unprocessable(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  location.holder[index] = value;
}

function move(run: Run, operation: JsonObject): void {
  const from = locate(run, 'move', pathOf(operation, 'move', 'from'));
  const value = read(from);
  remove(from);
  add(locate(run, 'move', pathOf(operation, 'move')), value);
}

function copy(run: Run, operation: JsonObject): void {
  const value = read(locate(run, 'copy', pathOf(operation, 'copy', 'from')));
  const target = locate(run, 'copy', pathOf(operation, 'copy'));
  run.copiedBytes += value === null ? 0 : printJson(value).length;
  if (run.copiedBytes > MAX_COPIED_BYTES) {
    const size = `the accumulated size increase of copy is ${run.copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`;
    throw unprocessable(`Unable to complete the copy, ${size}`);
  }
  // The original may still change by a later step, and must not take the copy along.
  add(target, structuredClone(value));
}

function test(run: Run, operation: JsonObject): void {
  const path = pathOf(operation, 'test');
  const actual = path === '' ? run.document.root : read(locate(run, 'test', path));
  if (!isSameJson(actual, jsonField(operation, 'value') ?? null))
    throw unprocessable(`testing value ${path} failed: test failed`);
}

import { findDuplicateFields, isJsonObject, JsonError, type JsonObject, type JsonValue } from '@smalt/json';
import type { GroupVersionKind } from '@smalt/resource';

import { badRequestError } from '../errors/make-status-error.ts';
import { isStatusError } from '../errors/status-error.ts';
import type { WriteContext } from '../registry/write-context.ts';
import { decodeBody, type DecodedBody } from './decode-body.ts';
import { deleteOptionsFromBody, deleteOptionsFromQuery, type DeleteRequest } from './delete-options.ts';
import type { Exchange } from './exchange.ts';
import type { PatchKind } from './patch-body.ts';
import { parseRequestJson } from './parse-request-json.ts';
import { readBody } from './read-body.ts';
import type { ResourceCall } from './resource-handler.ts';
import { parseWriteOptions } from './write-options.ts';

/** The context of a write as its query says; the name of the options stands in errors about them. */
export function writeContext(
  call: Pick<ResourceCall, 'exchange' | 'info' | 'user' | 'authorizeCreate'>,
  optionsKind: string,
): WriteContext {
  const { exchange, info, user } = call;
  const options = parseWriteOptions(info.query, exchange.header('user-agent'), optionsKind);
  return {
    user,
    dryRun: options.isDryRun,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
    duplicateFields: [],
    addWarning: (text) => exchange.addWarning(text),
    authorizeCreate: call.authorizeCreate,
    signal: exchange.signal,
  };
}

/** Reads the object of a create or an update. */
export async function readObject(
  call: ResourceCall,
  gvk: GroupVersionKind,
  context: WriteContext,
): Promise<DecodedBody> {
  const body = await readBody(call.exchange.request, call.exchange.signal);
  const expected = {
    kind: gvk.kind,
    apiVersion: gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`,
    acceptsProtobuf: call.resource.isBuiltIn,
    isStrict: context.fieldValidation !== 'Ignore',
  };
  return decodeBody(body, call.exchange.header('content-type'), expected);
}

/** Reads how an object is to be deleted, from the body or, without one, from the query. */
export async function readDeleteRequest(exchange: Exchange, query: URLSearchParams): Promise<DeleteRequest> {
  const body = await readBody(exchange.request, exchange.signal);
  if (body.length === 0) return deleteOptionsFromQuery(query);
  const expected = { kind: 'DeleteOptions', apiVersion: 'v1', acceptsProtobuf: true, isStrict: false };
  const { object } = await decodeBody(body, exchange.header('content-type'), expected);
  return deleteOptionsFromBody(object);
}

/** Reads a patch. Throws 400 for a body that is not what its content type says. */
export async function readPatch(
  exchange: Exchange,
  kind: PatchKind,
  isStrict: boolean,
): Promise<{ readonly value: JsonValue; readonly duplicateFields: readonly string[] }> {
  const body = await readBody(exchange.request, exchange.signal);
  if (kind === 'apply') return readApply(body, isStrict);
  try {
    const text = body.toString('utf8');
    const value = parseRequestJson(text);
    if (kind !== 'json' && !isJsonObject(value)) {
      const what = Array.isArray(value) ? 'array' : typeof value;
      const type = 'map[string]interface {}';
      throw badRequestError(`error decoding patch: json: cannot unmarshal ${what} into Go value of type ${type}`);
    }
    return { value, duplicateFields: isStrict ? findDuplicateFields(text) : [] };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const context = kind === 'strategic' ? '' : 'error decoding patch: ';
    throw badRequestError(`${context}${error.message}`, { cause: error });
  }
}

async function readApply(
  body: Buffer,
  isStrict: boolean,
): Promise<{ readonly value: JsonObject; readonly duplicateFields: readonly string[] }> {
  // Most clients write the YAML of an apply as JSON, which is both and reads faster.
  const isJson = body[0] === 0x7b;
  const type = isJson ? 'application/json' : 'application/yaml';
  const expected = { kind: 'object', apiVersion: '', acceptsProtobuf: false, isStrict };
  try {
    const { object, duplicateFields } = await decodeBody(body, type, expected);
    return { value: object, duplicateFields };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    throw badRequestError(`error decoding YAML: ${error.message}`, { cause: error });
  }
}

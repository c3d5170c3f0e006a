import { findDuplicateFields, isJsonObject, JsonError, type JsonObject, type JsonValue } from '@smalt/json';

import { badRequestError, unsupportedMediaTypeError } from '../errors/make-status-error.ts';
import { JSON_TYPE, PROTOBUF_TYPE, YAML_TYPE } from './negotiate.ts';
import { parseRequestJson } from './parse-request-json.ts';

const GO_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const SUMMARY_BYTES = 30;
const OPENING_BRACE = 0x7b;

/** An object as a client sent it, with the fields that stood in it twice. */
export interface DecodedBody {
  readonly object: JsonObject;
  readonly duplicateFields: readonly string[];
}

/** What a body is to be: the words of the texts when it is not. */
export interface Expected {
  readonly kind: string;
  readonly apiVersion: string;
  readonly acceptsProtobuf: boolean;
  /** Whether to look for fields that stand twice; it costs a second pass. */
  readonly isStrict: boolean;
}

/** Turns a request body into an object by its content type. Throws 415 for an unknown one, 400 for what cannot be read. */
export async function decodeBody(
  body: Buffer,
  contentType: string | undefined,
  expected: Expected,
): Promise<DecodedBody> {
  const type = mediaType(contentType);
  if (type === JSON_TYPE) return decodeJson(body, expected);
  if (type === YAML_TYPE) return decodeYaml(body, expected);
  if (type === PROTOBUF_TYPE && expected.acceptsProtobuf)
    return { object: await decodeProtobufBody(body, expected), duplicateFields: [] };
  throw unsupportedMediaTypeError([JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE]);
}

/** The type of a Content-Type header without its parameters. JSON when there is none. */
export function mediaType(contentType: string | undefined): string {
  if (contentType === undefined || contentType === '') return JSON_TYPE;
  const mark = contentType.indexOf(';');
  return (mark < 0 ? contentType : contentType.slice(0, mark)).trim().toLowerCase();
}

function decodeJson(body: Buffer, expected: Expected): DecodedBody {
  const text = body.toString('utf8');
  const object = objectOf(() => parseRequestJson(text), body, expected);
  return { object, duplicateFields: expected.isStrict ? findDuplicateFields(text) : [] };
}

async function decodeYaml(body: Buffer, expected: Expected): Promise<DecodedBody> {
  const { parseYaml } = await import('./parse-yaml.ts');
  const parsed = parseYaml(body.toString('utf8'));
  if (parsed.error !== undefined) throw unrecognized(`yaml: ${parsed.error}`, body, expected);
  return { object: objectOf(() => parsed.value, body, expected), duplicateFields: parsed.duplicateFields };
}

function objectOf(parse: () => JsonValue, body: Buffer, expected: Expected): JsonObject {
  let value: JsonValue;
  try {
    value = parse();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw unrecognized(`couldn't get version/kind; json parse error: ${error.message}`, body, expected);
  }
  if (isJsonObject(value)) return value;
  throw unrecognized(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${nameOf(value)} into Go value of type ${GO_TYPE}`,
    body,
    expected,
  );
}

function nameOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function unrecognized(why: string, body: Buffer, expected: Expected): Error {
  return badRequestError(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summaryOf(body)})`,
  );
}

function summaryOf(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, SUMMARY_BYTES);
  const text = start.toString(start[0] === OPENING_BRACE ? 'utf8' : 'hex');
  return body.length > SUMMARY_BYTES ? `${text} ...` : text;
}

async function decodeProtobufBody(body: Buffer, expected: Expected): Promise<JsonObject> {
  const { decodeProtobuf, KubernetesApiError } = await import('@smalt/kubernetes-api');
  try {
    return decodeProtobuf(body, expected);
  } catch (error) {
    if (!(error instanceof KubernetesApiError)) throw error;
    throw badRequestError(`the object provided is unrecognized (must be of type ${expected.kind}): ${error.message}`, {
      cause: error,
    });
  }
}

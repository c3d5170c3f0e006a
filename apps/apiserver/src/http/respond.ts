import { isJsonObject, parseJson, printJson, type JsonObject } from '@smalt/json';
import type { ListMeta, Status } from '@smalt/kubernetes';
import { formatFieldError, invalid, type Resource } from '@smalt/resource';

import { badRequestError } from '../errors/make-status-error.ts';
import { StatusError } from '../errors/status-error.ts';
import {
  makeTable,
  metadataOf,
  printPartialObject,
  type IncludeObject,
  type TableKind,
  type TableOptions,
  type TableSource,
} from '../table/make-table.ts';
import type { Exchange } from './exchange.ts';
import { JsonIndenter } from './json-indenter.ts';
import { indentedBody, listBody, partialListBody, tableBody, type PiecewiseBody } from './list-body.ts';
import { JSON_TYPE, PROTOBUF_TYPE, YAML_TYPE, type MediaChoice, type Transform } from './negotiate.ts';
import { sendBody, sendPieces } from './send-body.ts';

const NEWLINE = Buffer.from('\n');

/** How an answer is to be written, and when. */
export interface AnswerForm {
  readonly choice: MediaChoice;
  readonly isPretty: boolean;
  readonly includeObject: IncludeObject;
  readonly now: Date;
}

/** A page of a list. */
export interface ListAnswer {
  readonly items: readonly TableSource[];
  readonly metadata: ListMeta;
}

/** Reads `includeObject`. Throws 400 for a word that is not known. */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject') ?? '';
  if (asked === '') return 'Metadata';
  if (asked === 'Metadata' || asked === 'Object' || asked === 'None') return asked;
  const error = invalid('includeObject', asked, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequestError(`Unable to convert to Table as requested: ${formatFieldError(error)}`);
}

/** Answers with one object in the form that was agreed on. */
export async function sendObject(
  exchange: Exchange,
  code: number,
  answer: { readonly resource: TableKind; readonly object: TableSource },
  form: AnswerForm,
): Promise<void> {
  const { object, resource } = answer;
  const { transform } = form.choice;
  if (transform === undefined) return sendPlain(exchange, code, object.bytes, form);
  const metadata = metadataOf(object.value);
  switch (transform.kind) {
    case 'Table': {
      const resourceVersion = metadata['resourceVersion'];
      const listMeta = typeof resourceVersion === 'string' ? { resourceVersion } : {};
      const table = makeTable(resource, [object], listMeta, tableOptions(transform, form));
      return sendPlain(exchange, code, Buffer.from(table), form);
    }
    case 'PartialObjectMetadata':
      return sendPlain(exchange, code, Buffer.from(printPartialObject(metadata, transform.version)), form);
    case 'PartialObjectMetadataList':
      throw cannotTransform('you requested PartialObjectMetadataList, but the requested object is not a list');
  }
}

/** Answers with a list in the form that was agreed on. */
export async function sendList(
  exchange: Exchange,
  resource: Resource,
  list: ListAnswer,
  form: AnswerForm,
): Promise<void> {
  const body = listBodyIn(resource, list, form);
  // It is sent as it is put together, so that it never lies in memory as a whole.
  if (form.choice.format === 'json')
    return sendPieces(exchange, 200, JSON_TYPE, form.isPretty ? indentedBody(body) : body);
  return sendPlain(exchange, 200, Buffer.concat(Array.from(body.pieces(), (piece) => Buffer.from(piece))), form);
}

function listBodyIn(resource: Resource, list: ListAnswer, form: AnswerForm): PiecewiseBody {
  const { transform } = form.choice;
  switch (transform?.kind) {
    case undefined:
      return listBody(resource, list);
    case 'Table':
      return tableBody(resource, list, tableOptions(transform, form));
    case 'PartialObjectMetadataList':
      return partialListBody(list, transform.version);
    case 'PartialObjectMetadata':
      throw cannotTransform('you requested PartialObjectMetadata, but the requested object is a list');
  }
}

function tableOptions({ version }: Transform, { includeObject, now }: AnswerForm): TableOptions {
  return { version, includeObject, hasHeaders: true, now };
}

/** Answers with an object that is not kept anywhere, such as a Status or a review. */
export async function sendValue(exchange: Exchange, code: number, value: JsonObject, form: AnswerForm): Promise<void> {
  await sendPlain(exchange, code, Buffer.from(printJson(value)), form);
}

/** Answers with an error as a Status, always in JSON or what the client can read of it. */
export function sendStatus(exchange: Exchange, status: Status): void {
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined) exchange.setHeader('Retry-After', String(retryAfter));
  exchange.send(status.code, JSON_TYPE, `${JSON.stringify(status)}\n`);
}

async function sendPlain(exchange: Exchange, code: number, json: Buffer, form: AnswerForm): Promise<void> {
  switch (form.choice.format) {
    case 'json':
      if (form.isPretty) return sendBody(exchange, code, JSON_TYPE, new JsonIndenter().indent(json));
      return sendBody(exchange, code, JSON_TYPE, json.at(-1) === NEWLINE[0] ? json : Buffer.concat([json, NEWLINE]));
    case 'yaml': {
      const { stringify } = await import('yaml');
      return sendBody(exchange, code, YAML_TYPE, Buffer.from(stringify(objectIn(json))));
    }
    case 'protobuf': {
      const { encodeProtobuf } = await import('@smalt/kubernetes-api');
      return sendBody(exchange, code, PROTOBUF_TYPE, Buffer.from(encodeProtobuf(objectIn(json))));
    }
  }
}

function objectIn(json: Buffer): JsonObject {
  const value = parseJson(json.toString('utf8'));
  if (!isJsonObject(value)) throw new TypeError('an answer is not an object');
  return value;
}

function cannotTransform(message: string): StatusError {
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

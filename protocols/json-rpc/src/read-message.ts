import { isJsonArray, isJsonObject, jsonField, type JsonObject, parseJson } from '@smalt/json';

import { JsonRpcError } from './json-rpc-error.ts';
import type { JsonRpcMessage } from './json-rpc-message.ts';

/** Reads one message. Integers that a number cannot hold are bigints. The text must not nest deeper than the stack allows: a framer sees to that. */
export function readMessage(text: string): JsonRpcMessage {
  const message = parse(text);
  if (!isJsonObject(message)) throw notAMessage('it is no object');
  return jsonField(message, 'method') === undefined ? readReply(message) : readRequest(message);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new JsonRpcError('malformed', `a message is not JSON: ${why}`, { cause });
  }
}

function readRequest(message: JsonObject): JsonRpcMessage {
  const method = jsonField(message, 'method');
  const params = jsonField(message, 'params');
  const id = jsonField(message, 'id') ?? null;
  if (typeof method !== 'string') throw notAMessage('its method is no text');
  if (!isJsonArray(params)) throw notAMessage(`the params of ${JSON.stringify(method)} are no list`);
  if (jsonField(message, 'result') !== undefined || jsonField(message, 'error') !== undefined) {
    throw notAMessage('it has both a method and an answer');
  }
  return id === null ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
}

function readReply(message: JsonObject): JsonRpcMessage {
  const id = jsonField(message, 'id') ?? null;
  const result = jsonField(message, 'result');
  const error = jsonField(message, 'error') ?? null;
  if (id === null) throw notAMessage('it has neither a method nor an id');
  if (result === undefined && error === null) throw notAMessage('it has neither a result nor an error');
  if (error === null) return { kind: 'result', id, result: result ?? null };
  if (result !== undefined && result !== null) throw notAMessage('it has both a result and an error');
  return { kind: 'error', id, error };
}

function notAMessage(why: string): JsonRpcError {
  return new JsonRpcError('not-a-message', `a message is no JSON-RPC 1.0: ${why}`);
}

import { JsonError, parseJson, type JsonValue } from '@smalt/json';

import { describeJsonError } from './describe-json-error.ts';

/** Reads JSON from a client. Throws a JsonError that says what is wrong in the words of Kubernetes. */
export function parseRequestJson(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError) || error.code !== 'malformed') throw error;
    throw new JsonError('malformed', describeJsonError(text) ?? error.message, { cause: error });
  }
}

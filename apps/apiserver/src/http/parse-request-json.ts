import { isDeeperThan, JsonError, parseJson, type JsonValue } from '@smalt/json';

import { describeJsonError } from './describe-json-error.ts';
import { MAX_BODY_DEPTH } from './max-body-depth.ts';

/** Reads JSON from a client. Throws a JsonError that says what is wrong in the words of Kubernetes. */
export function parseRequestJson(text: string): JsonValue {
  if (isDeeperThan(text, MAX_BODY_DEPTH)) throw new JsonError('too-deep', `exceeded max depth of ${MAX_BODY_DEPTH}`);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError) || error.code !== 'malformed') throw error;
    throw new JsonError('malformed', describeJsonError(text) ?? error.message, { cause: error });
  }
}

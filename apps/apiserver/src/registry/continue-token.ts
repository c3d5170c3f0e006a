import { isJsonObject, parseJson, printJson, type JsonValue } from '@smalt/json';

import { badRequestError } from '../errors/make-status-error.ts';
import { describeJsonError } from '../http/describe-json-error.ts';
import type { StatusError } from '../errors/status-error.ts';

const VERSION = 'meta.k8s.io/v1';
const BASE64_URL = /^[\w-]*$/;

/** Where a list goes on. */
export interface Continuation {
  /** The state the list shows; -1 stands for the newest one. */
  readonly resourceVersion: number;
  /** The first key that is not in the list yet. */
  readonly start: string;
}

export function printContinueToken(continuation: Continuation): string {
  const { resourceVersion, start } = continuation;
  return Buffer.from(printJson({ v: VERSION, rv: resourceVersion, start })).toString('base64url');
}

/** Reads a token that a list has handed out before. Throws 400 for any other. */
export function parseContinueToken(token: string): Continuation {
  if (!BASE64_URL.test(token)) throw invalidToken('continue key is not valid: illegal base64 data');
  const content = readToken(Buffer.from(token, 'base64url').toString('latin1'));
  if (!isJsonObject(content)) throw invalidToken('continue key is not valid');
  const { v: version, rv: resourceVersion, start } = content;
  if (version !== VERSION) {
    const shown = typeof version === 'string' ? version : '';
    throw invalidToken(`continue key is not valid: server does not recognize this encoded version ${shown}`);
  }
  if (typeof resourceVersion !== 'number' || resourceVersion === 0 || !Number.isInteger(resourceVersion)) {
    throw invalidToken(`continue key is not valid: incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof start !== 'string' || start === '') {
    throw invalidToken(`continue key is not valid: encoded start key empty (version ${VERSION})`);
  }
  return { resourceVersion, start };
}

function readToken(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    const why = describeJsonError(text) ?? 'it holds a name that cannot be kept';
    throw badRequestError(`invalid continue token: continue key is not valid: ${why}`, { cause: error });
  }
}

function invalidToken(why: string): StatusError {
  return badRequestError(`invalid continue token: ${why}`);
}

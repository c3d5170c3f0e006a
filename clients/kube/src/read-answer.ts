import { JsonError, parseJson, type JsonValue } from '@smalt/json';

import { KubeError } from './kube-error.ts';

/** Reads the JSON of an answer. Throws a KubeError with the code `bad-answer`. */
export function readAnswer(text: string, what: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // One odd name in one object, which anybody may write, must not keep us from seeing all others.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse returns is what this type says
    if (error.code === 'forbidden-name') return JSON.parse(text) as JsonValue;
    throw new KubeError('bad-answer', `${what}: not JSON: ${error.message}`, { cause: error });
  }
}

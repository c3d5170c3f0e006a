import type { JsonObject } from '@smalt/json';

import { plainMethodNotAllowedError } from '../errors/make-status-error.ts';
import type { ResourceCall, ResourceHandler } from './resource-handler.ts';

/** A handler of what can only be posted: the answer is the object that it makes of the request. */
export function creatingHandler(answer: (call: ResourceCall) => Promise<JsonObject>): ResourceHandler {
  return async (call) => {
    if (call.info.verb !== 'create') throw plainMethodNotAllowedError();
    return { code: 201, object: await answer(call) };
  };
}

import { checkPathSegmentName } from '@smalt/kubernetes';
import { goQuote } from '@smalt/resource';

import { badRequestError } from '../errors/make-status-error.ts';

const SUSPECT = /[%/]|^\.{1,2}$/;

/** Refuses a request about a name that can be no part of a path, rather than to say that there is no such object. */
export function checkNameParameter(name: string): void {
  if (!SUSPECT.test(name)) return;
  const problems = checkPathSegmentName(name);
  if (problems.length > 0) throw badRequestError(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`);
}

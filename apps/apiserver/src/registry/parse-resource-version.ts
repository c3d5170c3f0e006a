import { formatFieldError, goQuote, invalid } from '@smalt/resource';

import { badRequestError, unclassifiedError } from '../errors/make-status-error.ts';

/** Reads the `resourceVersion` parameter: undefined when it is not given or empty. Throws 400 for what is no number. */
export function parseResourceVersion(text: string | undefined): number | undefined {
  const read = readResourceVersion(text);
  if (typeof read !== 'string') return read;
  throw badRequestError(`invalid resource version: ${read}`);
}

/** The same for a request about one object and for a watch, which Kubernetes answers with a 500. */
export function parseStartVersion(text: string | undefined): number | undefined {
  const read = readResourceVersion(text);
  if (typeof read !== 'string') return read;
  throw unclassifiedError(read);
}

/** The number; or, for what is none, the text that says so. */
function readResourceVersion(text: string | undefined): number | string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  const parsing = `strconv.ParseUint: parsing ${goQuote(text)}: ${/^\d+$/.test(text) ? 'value out of range' : 'invalid syntax'}`;
  return formatFieldError(invalid('resourceVersion', text, parsing));
}

import { goQuote, invalid } from '@smalt/resource';
import { formatFieldError } from '@smalt/resource';

import { badRequestError } from '../errors/make-status-error.ts';

/** Reads the `resourceVersion` parameter: undefined when it is not given or empty. Throws 400 for what is no number. */
export function parseResourceVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  const parsing = `strconv.ParseUint: parsing ${goQuote(text)}: ${/^\d+$/.test(text) ? 'value out of range' : 'invalid syntax'}`;
  throw badRequestError(`invalid resource version: ${formatFieldError(invalid('resourceVersion', text, parsing))}`);
}

import type { JsonObject } from '@smalt/json';

import { ConsoleError } from '../console-error.ts';

const MOST_BYTES = 8_192;

/** The token of a request to sign in. Refuses what can be no token, so that nothing odd gets into a header. */
export function readToken({ token, ...rest }: JsonObject): string {
  const [surplus] = Object.keys(rest);
  if (surplus !== undefined) throw bad(surplus, 'is not known here: send {"token": "…"}');
  if (typeof token !== 'string') throw bad('token', 'has to be a text');
  const text = token.trim();
  if (text === '' || text.length > MOST_BYTES) throw bad('token', `needs 1 to ${MOST_BYTES} characters`);
  if (/[^\u0021-\u007e]/.test(text)) throw bad('token', 'has a character that no token has: copy it again');
  return text;
}

function bad(field: string, why: string): ConsoleError {
  return new ConsoleError('bad-request', `${field} ${why}`, { field });
}

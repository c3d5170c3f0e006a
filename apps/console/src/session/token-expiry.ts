import { isJsonObject, parseJson } from '@smalt/json';

/** When a token ends by its own words, milliseconds since 1970; undefined where it does not say. Nothing is proved by it. */
export function tokenExpiry(token: string): number | undefined {
  const [, claims, ...rest] = token.split('.');
  if (claims === undefined || rest.length !== 1) return undefined;
  try {
    const value = parseJson(Buffer.from(claims, 'base64url').toString('utf8'));
    const end = isJsonObject(value) ? value['exp'] : undefined;
    return typeof end === 'number' ? end * 1_000 : undefined;
  } catch {
    // Not every token with two dots is one of those.
    return undefined;
  }
}

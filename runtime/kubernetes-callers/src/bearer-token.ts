/** The token that a request shows, if any. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer (?<token>[\x21-\x7e]{1,8192})$/i.exec(authorization ?? '')?.groups?.['token'];
}

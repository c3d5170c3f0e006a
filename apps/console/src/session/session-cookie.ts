const NAME = 'smalt_session';
/** Browsers drop cookies that are longer, name and all. */
const MOST_BYTES = 4_096;

/** The header that gives a browser the cookie; undefined when the sealed session is too long for one. */
export function sessionCookie(sealed: string, maxAgeMs: number, isSecure: boolean): string | undefined {
  if (NAME.length + 1 + sealed.length > MOST_BYTES) return undefined;
  return `${NAME}=${sealed}; Max-Age=${Math.floor(maxAgeMs / 1_000)}${attributes(isSecure)}`;
}

/** The header that takes it away. */
export function endedCookie(isSecure: boolean): string {
  return `${NAME}=; Max-Age=0${attributes(isSecure)}`;
}

/** What of a Cookie header is ours. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
}

function attributes(isSecure: boolean): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

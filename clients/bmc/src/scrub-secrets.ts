const LONGEST = 400;

/** Text of a controller or a program as it may stand in a message: no secrets, one line, not too long. */
export function scrubSecrets(text: string, secrets: readonly string[]): string {
  const scrubbed = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '<secret>'), text);
  const line = scrubbed.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

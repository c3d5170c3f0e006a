import { createHash, type X509Certificate } from 'node:crypto';

/** What the Secret holds, decoded. `key` is never shown to anyone. */
export interface KeyMaterial {
  readonly authority: Buffer;
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/** What was found to be fit for use. */
export interface CheckedMaterial {
  readonly material: KeyMaterial;
  readonly leaf: X509Certificate;
}

/** Tells two sets of key material apart without giving either away. */
export function fingerprintOf({ authority, certificate, key }: KeyMaterial): string {
  const digest = createHash('sha256');
  for (const part of [authority, certificate, key]) digest.update(`${part.length}:`).update(part);
  return digest.digest('hex');
}

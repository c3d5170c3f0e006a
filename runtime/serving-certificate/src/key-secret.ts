import { randomBytes } from 'node:crypto';

import { isKubeError } from '@smalt/kube';

import { findSecret, secretKind, type SecretPlace } from './secret-place.ts';

const KEY_BYTES = 32;

/** Makes a Secret with random bytes, in base64, under `key` where there is none. What is there stays; true if it was made. */
export async function ensureKey(place: SecretPlace, signal: AbortSignal): Promise<boolean> {
  if ((await findSecret(place, signal)) !== undefined) return false;
  const { client, namespace, name } = place;
  const data = { key: Buffer.from(randomBytes(KEY_BYTES).toString('base64')).toString('base64') };
  try {
    await client.resource(secretKind).create({ metadata: { name, namespace }, type: 'Opaque', data }, { signal });
    return true;
  } catch (error) {
    // Somebody else was faster, and theirs is as good.
    if (isKubeError(error, 'already-exists')) return false;
    throw error;
  }
}

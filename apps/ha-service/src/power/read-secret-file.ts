import { readFile } from 'node:fs/promises';

import { BmcError, Secret } from '@smalt/bmc';

const MOST_CHARACTERS = 4096;

/** The secret that a file holds now; one line end after it is not part of it. Its text is in no error. */
export async function readSecretFile(field: string, path: string, signal: AbortSignal): Promise<Secret> {
  const text = await readFile(path, { encoding: 'utf8', signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read';
    throw new BmcError('bad-setting', `${field}: ${path}: ${code}: put the secret there`, { cause: error });
  });
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '' || secret.length > MOST_CHARACTERS) {
    throw new BmcError('bad-setting', `${field}: ${path} has to hold 1 to ${MOST_CHARACTERS} characters`);
  }
  return new Secret(secret);
}

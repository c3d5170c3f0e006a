import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { messageOf } from '@smalt/service-runtime';

import { ConsoleError } from '../console-error.ts';

const KEY_BYTES = 32;
const OF_OTHERS = 0o007;
const GROUP_WRITES = 0o020;

/** Reads the key that sessions are sealed with; makes one when there is none. Refuses one that others could read. */
export async function readSessionKey(path: string): Promise<Buffer> {
  try {
    return await read(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await make(path);
    return await read(path);
  }
}

async function read(path: string): Promise<Buffer> {
  const { mode } = await stat(path).catch(unusable(path));
  if ((mode & (OF_OTHERS | GROUP_WRITES)) !== 0) {
    throw new ConsoleError('bad-setting', `keyFile: others can get at ${path}: chmod 600 ${path}`);
  }
  const key = Buffer.from((await readFile(path, 'utf8').catch(unusable(path))).trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  const next = `put ${KEY_BYTES} random bytes in base64 there, or remove it and have one made`;
  throw new ConsoleError('bad-setting', `keyFile: ${path} holds no key: ${next}`);
}

/** Whoever else makes one at the same moment wins or loses as a whole: a link appears with all that is in the file. */
async function make(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    try {
      await link(draft, path);
    } catch (error) {
      if (!isTaken(error)) throw error;
    } finally {
      await unlink(draft);
    }
  } catch (error) {
    return unusable(path)(error);
  }
}

function unusable(path: string): (error: unknown) => never {
  return (error) => {
    if (isMissing(error)) throw error;
    throw new ConsoleError('bad-setting', `keyFile: ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

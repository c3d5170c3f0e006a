import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';
import { isJsonObject, parseJson } from '@smalt/json';

import { addressAt, drawAddress, isFreeAddress, type CloudAddress } from './configuration/cloud-address.ts';

/** Keys that are made anew for every cloud that is kept. */
const KEYS = ['fernet', 'fernet-receipts', 'credential'] as const;
/** The password of a state as the software has it: it is there until the cloud has one of its own. */
const FOUND_PASSWORD = 'password';

/** The password of a kept cloud: drawn once, readable by root alone. Where it is lost, the state is to be made the cloud's own again. */
export async function keepPassword(directory: string): Promise<string> {
  const path = join(directory, 'password');
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known !== '') return known;
  const drawn = randomBytes(24).toString('base64url');
  const state = join(directory, 'state');
  // First, so that a kill in between leaves no state whose password nobody knows.
  if (await exists(state)) await writeFileSafely(join(state, FOUND_PASSWORD), '');
  await writeFileSafely(path, drawn);
  return drawn;
}

/** Where a kept cloud listens: where it did before, unless somebody else does by now. */
export async function keepAddress(directory: string): Promise<CloudAddress> {
  const path = join(directory, 'address.json');
  const known = readAddress(await readFile(path, 'utf8').catch(() => ''));
  if (known !== undefined && (await isFreeAddress(known))) return known;
  const drawn = await drawAddress();
  await writeFileSafely(path, JSON.stringify({ host: drawn.host, firstPort: drawn.identityPort }));
  return drawn;
}

/** What was written down of an address; undefined where that is nothing, or damaged. */
export function readAddress(text: string): CloudAddress | undefined {
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return undefined;
    const { host, firstPort } = value;
    const isHost = typeof host === 'string' && /^127(?:\.\d{1,3}){3}$/.test(host);
    return isHost && typeof firstPort === 'number' ? addressAt(host, firstPort) : undefined;
  } catch {
    return undefined;
  }
}

/** Sees to the state of a kept cloud: a copy of that beside the software if there is none. Tells whether it is still to be made its own. */
export async function keepState(directory: string, softwareDirectory: string): Promise<boolean> {
  const state = join(directory, 'state');
  if (!(await exists(state))) {
    const draft = join(directory, 'state.new');
    await rm(draft, { recursive: true, force: true });
    await cp(join(softwareDirectory, 'state'), draft, { recursive: true, preserveTimestamps: true });
    for (const name of KEYS) {
      await rm(join(draft, name), { recursive: true, force: true });
      await mkdir(join(draft, name), { mode: 0o700 });
    }
    // Whole or not at all.
    await rename(draft, state);
  }
  return await exists(join(state, FOUND_PASSWORD));
}

/** Notes that the state is the cloud's own by now. */
export async function noteOwner(directory: string): Promise<void> {
  await rm(join(directory, 'state', FOUND_PASSWORD), { force: true });
}

/** Puts the logs of the last run aside; those of the run before it go. */
export async function turnLogs(directory: string): Promise<void> {
  const logs = join(directory, 'log');
  await mkdir(logs, { recursive: true, mode: 0o700 });
  for (const name of await readdir(logs)) {
    if (name.endsWith('.log')) await rename(join(logs, name), join(logs, `${name}.1`));
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

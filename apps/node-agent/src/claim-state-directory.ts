import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { AgentError } from './agent-error.ts';

const FOR_OTHERS = 0o077;
const STICKY = 0o1000;

/** Makes the directory, or takes the one that is there, so that nobody but this account may enter it; throws if it is not ours. */
export async function claimStateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await using directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  const { mode, uid } = await directory.stat();
  if (uid !== process.getuid?.()) throw unsafe(path, `it belongs to user ${uid}`);
  if ((mode & FOR_OTHERS) === 0) return;
  // Closing a directory that others use, such as /tmp, would harm them.
  if ((mode & STICKY) !== 0) throw unsafe(path, 'it is shared with others');
  await refuseStrangers(path, uid);
  await directory.chmod(0o700);
  // Until now somebody could still have put something there, which he could go on to change.
  await refuseStrangers(path, uid);
}

async function refuseStrangers(path: string, owner: number): Promise<void> {
  for (const name of await readdir(path)) {
    const { uid } = await lstat(join(path, name));
    if (uid !== owner) throw unsafe(path, `${name} in it belongs to user ${uid}`);
  }
}

function unsafe(path: string, why: string): AgentError {
  const next = 'choose another directory, or chown it with all that is in it to the account of the agent';
  return new AgentError('unsafe-path', `the state directory ${path} is not the agent's alone: ${why}; ${next}`);
}

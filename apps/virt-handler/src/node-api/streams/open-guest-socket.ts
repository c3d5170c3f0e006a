import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { messageOf } from '@smalt/service-runtime';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { GuestLink } from './relay.ts';
import { openSocketLink } from './socket-link.ts';

/** `O_PATH`, which Node does not name: the thing itself, neither opened nor followed. */
const O_PATH = 0o10_000_000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Connects to a socket in a directory that the guest's own process may write to; `what` names it in the words of who asked.
 * No link is followed, and whom the directory does not belong to is not connected to: this process is root, and what it
 * connects to takes its orders. Throws `guest-failed` for those. The directory itself lies in one of root's.
 */
export async function openGuestSocket(path: string, what: string, signal: AbortSignal): Promise<GuestLink> {
  await using directory = await openPlace(dirname(path), O_DIRECTORY, what);
  await using socket = await openPlace(`${shown(directory)}/${basename(path)}`, 0, what);
  const [owner, found] = await Promise.all([directory.stat(), socket.stat()]);
  if (!found.isSocket()) throw refusal(what, `${path} is no socket`);
  if (found.uid !== owner.uid) {
    throw refusal(what, `${path} belongs to user ${found.uid}, but ${dirname(path)} to user ${owner.uid}`);
  }
  // Exactly what was looked at, whatever has its name by now, and however long that is.
  return await openSocketLink({ path: shown(socket) }, what, signal);
}

async function openPlace(path: string, flags: number, what: string): Promise<FileHandle> {
  try {
    return await open(path, O_PATH | O_NOFOLLOW | flags);
  } catch (error) {
    throw new VirtHandlerError('unavailable', `${what} cannot be reached: ${messageOf(error)}`, { cause: error });
  }
}

function shown({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

function refusal(what: string, why: string): VirtHandlerError {
  return new VirtHandlerError('guest-failed', `${what} is not opened: ${why}`);
}

import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Where kubelets have their sockets and those of their plugins. */
export const DEFAULT_DIRECTORY = '/var/lib/kubelet/device-plugins';
export const KUBELET_SOCKET = 'kubelet.sock';

/** What tells one socket from another with the same name; undefined if there is none. */
export async function socketIdentity(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    // Numbers of files are used again; the time at which they were made is not, and stays when their mode is changed. Few have none.
    return found.isSocket() ? `${found.dev}:${found.ino}:${found.birthtimeNs || found.ctimeNs}` : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Tells the names of files that come and go in a directory; undefined if there is none. */
export function watchNames(directory: string, onName: (name: string) => void): Disposable | undefined {
  let watcher: FSWatcher;
  try {
    watcher = watch(directory, (_, name) => onName(name ?? ''));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  // A directory that is gone is noticed by those who look at its files.
  watcher.on('error', () => onName(''));
  return { [Symbol.dispose]: () => watcher.close() };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

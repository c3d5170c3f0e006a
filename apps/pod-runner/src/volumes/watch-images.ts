import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';

/** Calls back whenever the image store may have got another image, until the signal fires. */
export async function watchImages(directory: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  // It is made at the first import, and what is not there cannot be watched.
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const stopped = Promise.withResolvers<void>();
  using cleanUp = new DisposableStack();
  const watcher = watch(directory, { recursive: true }, onChange);
  cleanUp.defer(() => watcher.close());
  watcher.on('error', stopped.reject);
  signal.addEventListener('abort', () => stopped.resolve(), { once: true });
  if (signal.aborted) stopped.resolve();
  await stopped.promise;
}

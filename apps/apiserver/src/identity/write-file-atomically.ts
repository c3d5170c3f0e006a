import { open, rename, rm } from 'node:fs/promises';

/** Writes a file that only its owner can read. Whoever looks finds the old content or the new one, also after a crash. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const fresh = `${path}.new`;
  // What a crash left behind may have another mode, which opening it again would keep.
  await rm(fresh, { force: true });
  const file = await open(fresh, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(fresh, path);
}

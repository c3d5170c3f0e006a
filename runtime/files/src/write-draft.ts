import { open } from 'node:fs/promises';

export interface DraftOptions {
  readonly mode: number;
  /** Whether it is on the disk before this resolves. */
  readonly isDurable: boolean;
}

/** Writes a new file, of exactly this mode from its first byte on. One that is there already, or a link, is refused. */
export async function writeDraft(
  path: string,
  content: string | Uint8Array,
  { mode, isDurable }: DraftOptions,
): Promise<void> {
  await using file = await open(path, 'wx', mode);
  // The umask has taken away some of it.
  await file.chmod(mode);
  await file.writeFile(content);
  if (isDurable) await file.sync();
}

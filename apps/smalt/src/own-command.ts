import { join, resolve } from 'node:path';

/** How to run this program again, for another command of it. */
export interface OwnCommand {
  /** The program and its first words; the command and its flags come after them. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** This program, from the sources or as it was bundled. */
export function ownCommand(): OwnCommand {
  if (!import.meta.filename.endsWith('.ts')) {
    return { words: [process.execPath, resolve(process.argv[1] ?? '')], environment: {} };
  }
  // Also for the main file, which is loaded before it can ask for it: stripping its types would take 12 MiB that stay.
  const cache = join(import.meta.dirname, '../../../node_modules/.cache/compiled');
  return {
    words: [process.execPath, join(import.meta.dirname, 'main.ts')],
    environment: { NODE_COMPILE_CACHE: cache },
  };
}

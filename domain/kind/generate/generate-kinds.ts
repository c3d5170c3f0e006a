import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

import { DEFINITIONS_FOLDER, generatedFiles } from '../src/generated-files.ts';
import type { Kind } from '../src/kind.ts';

export interface GenerateOptions {
  readonly kinds: readonly Kind[];
  /** The root of the repository. */
  readonly root: URL;
  /** The folder of the package whose kinds these are, such as `domain/fleet-api`. */
  readonly folder: string;
  /** Only look, change nothing. */
  readonly isCheck: boolean;
}

/** What a run found stale or orphaned, as paths from the root. */
export interface GenerateResult {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** Writes types, CRDs and reference pages of the kinds, and removes CRDs of the same groups that no kind gives any more. */
export async function generateKinds(options: GenerateOptions): Promise<GenerateResult> {
  const files = generatedFiles(options.kinds, options.folder);
  const written: string[] = [];
  for (const [path, text] of files) {
    if ((await readIfPresent(new URL(path, options.root))) === text) continue;
    written.push(path);
    if (!options.isCheck) await write(new URL(path, options.root), text);
  }
  const removed = await orphans(options, files);
  if (!options.isCheck) await Promise.all(removed.map((path) => rm(new URL(path, options.root))));
  return { written, removed };
}

async function orphans(options: GenerateOptions, files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const groups = [...new Set(options.kinds.map((kind) => `.${kind.group}.yaml`))];
  const names = await readdir(new URL(DEFINITIONS_FOLDER, options.root)).catch(ifMissing([]));
  return names
    .filter((name) => groups.some((group) => name.endsWith(group)))
    .map((name) => `${DEFINITIONS_FOLDER}${name}`)
    .filter((path) => !files.has(path));
}

async function write(file: URL, text: string): Promise<void> {
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}

async function readIfPresent(file: URL): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(ifMissing(undefined));
}

function ifMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return instead;
    throw error;
  };
}

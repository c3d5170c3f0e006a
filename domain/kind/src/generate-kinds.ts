import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

import { emitDefinitionFiles, emitDefinitionModule } from './emit-definitions.ts';
import { emitReferencePages } from './emit-reference-page.ts';
import { emitReferences } from './emit-references.ts';
import { emitTypes } from './emit-types.ts';
import type { Kind } from './kind.ts';

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

/** All files that the kinds give, by path from the root. */
export function generatedFiles(kinds: readonly Kind[], folder: string): ReadonlyMap<string, string> {
  const source = `${folder}/kinds`;
  const files = new Map<string, string>();
  files.set(`${folder}/src/generated/objects.gen.ts`, emitTypes(kinds, source));
  files.set(`${folder}/src/generated/references.gen.ts`, emitReferences(kinds, source));
  files.set(`${folder}/src/generated/definitions.gen.ts`, emitDefinitionModule(kinds, source));
  for (const [name, text] of emitDefinitionFiles(kinds)) files.set(`deploy/helm/smalt/files/crds/${name}`, text);
  for (const [name, text] of emitReferencePages(kinds)) files.set(`docs/reference/${name}`, text);
  return files;
}

async function orphans(options: GenerateOptions, files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const groups = [...new Set(options.kinds.map((kind) => `.${kind.group}.yaml`))];
  const names = await readdir(new URL('deploy/helm/smalt/files/crds/', options.root)).catch(ifMissing([]));
  return names
    .filter((name) => groups.some((group) => name.endsWith(group)))
    .map((name) => `deploy/helm/smalt/files/crds/${name}`)
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

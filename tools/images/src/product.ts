import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { ImagesError } from './images-error.ts';
import { readNpmDigests, type NpmDigests } from './npm-digests.ts';
import { COMMANDS_OF, type Product } from './recipes.ts';
import { file, link, type TreeEntry } from './tree/file-tree.ts';

/** What `tools/bundle` says of one file that it wrote. */
interface Chunk {
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** The directories of the npm packages in it, below the root of the repository. */
  readonly packages: readonly string[];
}

/** What `tools/bundle` says of all that it wrote. */
interface BundleManifest {
  readonly chunks: Readonly<Record<string, Chunk>>;
  readonly pages: { readonly packages: readonly string[] };
}

/** An npm package whose code is in the product. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly homepage: string | undefined;
  /** Of its archive in the registry, in hexadecimal. */
  readonly sha512: string;
}

export interface ProductFiles {
  readonly tree: ReadonlyMap<string, TreeEntry>;
  readonly packages: readonly NpmPackage[];
}

export interface ProductOptions {
  /** The folder of the repository. */
  readonly root: string;
  /** When its files count as changed, in seconds since 1970. */
  readonly modified: number;
}

const PLACE = 'opt/smalt';
const ENTRY = 'smalt.mjs';

/** Our program as it lies in an image, with the licences of what is in it. Throws `missing-bundle`. */
export async function readProduct(product: Exclude<Product, 'none'>, options: ProductOptions): Promise<ProductFiles> {
  const { root } = options;
  const bundle = join(root, '.cache', 'bundle');
  const manifest = await readManifest(join(bundle, 'manifest.json'));
  const isWhole = product === 'whole';
  const names = isWhole ? Object.keys(manifest.chunks) : chunksOf(manifest, COMMANDS_OF[product]);
  const entries: [string, TreeEntry][] = [];
  // What runs on nodes has no pages, which alone need a time: its layer stays the same as long as its code does.
  const modified = isWhole ? options.modified : 0;
  for (const name of names) {
    const content = await readFile(join(bundle, name), 'utf8');
    entries.push([
      `${PLACE}/bundle/${name}`,
      name === ENTRY ? runnable(content, modified) : file(content, 0o644, modified),
    ]);
  }
  entries.push(['usr/bin/smalt', link(`/${PLACE}/bundle/${ENTRY}`)]);
  if (isWhole) entries.push(...(await readPages(join(root, '.cache', 'console'), modified)));
  const pages = isWhole ? manifest.pages.packages : [];
  const folders = [
    ...new Set([...names.flatMap((name) => manifest.chunks[name]?.packages ?? []), ...pages]),
  ].toSorted();
  entries.push(
    [`${PLACE}/LICENSE`, file(await readFile(join(root, 'LICENSE')), 0o644, modified)],
    [`${PLACE}/LICENSES-OF-OTHERS`, file(await licenseTexts(root, folders), 0o644, modified)],
  );
  const digests = await readNpmDigests(root);
  const packages = await Promise.all(folders.map((folder) => readNpmPackage(root, folder, digests)));
  // One version may lie in several folders.
  const unique = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return { tree: new Map(entries), packages: [...unique.values()] };
}

/** Images have no `env` that would look for Node. */
function runnable(content: string, modified: number): TreeEntry {
  return file(content.replace(/^#!.*\n/, '#!/usr/bin/node\n'), 0o755, modified);
}

async function readManifest(path: string): Promise<BundleManifest> {
  try {
    // Our own tool wrote it a moment ago; what it lacks shows when it is used.
    const manifest: BundleManifest = JSON.parse(await readFile(path, 'utf8'));
    return manifest;
  } catch (cause) {
    throw new ImagesError('missing-bundle', 'the program was not bundled: run this by `npm run images`', { cause });
  }
}

/** Of what the entry loads, the commands; the rest is for all of them. */
const COMMAND = /\/(?:.+-command|command-line)-[^/]+$/;

/** The entry, what it loads for every command, and these commands; no other command works without the rest. */
function chunksOf({ chunks }: BundleManifest, commands: readonly string[]): readonly string[] {
  const loaded = chunks[ENTRY]?.dynamicImports ?? [];
  const wanted = commands.map((command) => {
    const found = loaded.find((name) => name.replace(/^.*\//, '').startsWith(`${command}-command-`));
    if (found === undefined) throw new ImagesError('missing-bundle', `the bundle has no command ${command} of its own`);
    return found;
  });
  const found = new Set<string>();
  const open = [ENTRY, ...loaded.filter((name) => !COMMAND.test(name)), ...wanted];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = chunks[name];
    if (chunk === undefined || found.has(name)) continue;
    found.add(name);
    open.push(...chunk.imports, ...(name === ENTRY ? [] : chunk.dynamicImports));
  }
  return [...found].toSorted();
}

async function readPages(directory: string, modified: number): Promise<readonly [string, TreeEntry][]> {
  const found = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  if (found.length === 0) throw new ImagesError('missing-bundle', `there are no pages of the console in ${directory}`);
  return await Promise.all(
    found.map(async ({ parentPath, name }): Promise<[string, TreeEntry]> => {
      const path = join(parentPath, name);
      return [`${PLACE}/console/${relative(directory, path)}`, file(await readFile(path), 0o644, modified)];
    }),
  );
}

async function readNpmPackage(root: string, folder: string, digests: NpmDigests): Promise<NpmPackage> {
  return { ...(await readAbout(root, folder)), sha512: digests.sha512(folder) };
}

async function readAbout(root: string, folder: string): Promise<Omit<NpmPackage, 'sha512'>> {
  const text = await readFile(join(root, folder, 'package.json'), 'utf8');
  const about: Readonly<Record<string, unknown>> = JSON.parse(text);
  const value = (key: string): string | undefined => {
    const found = about[key];
    return typeof found === 'string' ? found : undefined;
  };
  return {
    name: value('name') ?? folder.replace(/^.*node_modules\//, ''),
    version: value('version') ?? '0',
    license: value('license'),
    homepage: value('homepage'),
  };
}

async function licenseTexts(root: string, folders: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const folder of folders) {
    const { name, version, license } = await readAbout(root, folder);
    const files = (await readdir(join(root, folder))).filter((one) => /^(?:licen[cs]e|copying|notice)/i.test(one));
    const parts = await Promise.all(files.toSorted().map((one) => readText(join(root, folder, one))));
    texts.push([`${name} ${version}${license === undefined ? '' : ` (${license})`}`, ...parts].join('\n\n'));
  }
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function readText(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

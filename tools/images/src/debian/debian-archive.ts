import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ImagesError } from '../images-error.ts';
import { runProgram } from '../run-program.ts';
import type { LockedPackage } from './debian-lock.ts';
import { parsePackages, parseVersions, type DebianPackage } from './debian-package.ts';
import { resolvePackages } from './resolve-packages.ts';

/** Looking packages up goes from level to level of what they need; ten levels are twice what was ever seen. */
const MOST_LEVELS = 20;

export interface ArchiveOptions {
  /** Where lists and packages stay from one run to the next. */
  readonly cache: string;
  /** Further words of apt, such as `-o Dir::Etc::sourcelist=FILE`. */
  readonly apt?: readonly string[] | undefined;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Debian's archive as the machine's apt knows it, at one moment: its lists are kept beside those of the machine, which
 * changes nothing there and needs no root, and stay as they are until `update`.
 */
export class DebianArchive {
  readonly #options: ArchiveOptions;
  #isFresh = false;

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /** Whether the lists were fetched in this run, so that there are no newer ones. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** Fetches the lists if there are none yet, or they are those of another mirror. Gives when they were fetched. */
  async open(): Promise<Date> {
    const fetched = await readFile(this.#stamp, 'utf8').catch(() => undefined);
    if (fetched !== this.#mirror) await this.update();
    return (await stat(this.#stamp)).mtime;
  }

  /** Fetches the lists anew: from here on packages are the newest ones. */
  async update(): Promise<void> {
    const { cache, report } = this.#options;
    report('fetching the lists of Debian packages');
    await rm(this.#stamp, { force: true });
    for (const name of ['state/lists/partial', 'apt-cache/archives/partial', 'packages'])
      await mkdir(join(cache, name), { recursive: true });
    await writeFile(join(cache, 'state', 'status'), '');
    await this.#apt('apt-get', ['update']);
    await writeFile(this.#stamp, this.#mirror);
    this.#isFresh = true;
  }

  /** Which of these exact packages there are, by name: on the mirror, or here since an earlier run. */
  async find(wanted: readonly LockedPackage[]): Promise<ReadonlyMap<string, DebianPackage>> {
    const listed = wanted.length === 0 ? '' : await this.#apt('apt-cache', ['show', ...wanted.map(({ name }) => name)]);
    const byDigest = new Map(parseVersions(listed.toString()).map((one) => [one.sha256, one]));
    const found = new Map<string, DebianPackage>();
    for (const one of wanted) {
      const known = byDigest.get(one.sha256) ?? (await this.#kept(one));
      if (known !== undefined) found.set(one.name, known);
    }
    return found;
  }

  async #kept(one: LockedPackage): Promise<DebianPackage | undefined> {
    const path = join(this.#options.cache, 'packages', fileName(one));
    if (!existsSync(path) || (await digestOf(path)) !== one.sha256) return undefined;
    const control = await runProgram('dpkg-deb', ['--field', path], { signal: this.#options.signal });
    return parsePackages(`${control.toString().trim()}\nSHA256: ${one.sha256}\n`)[0];
  }

  /** The newest packages of these names and all that they need. */
  async resolve(names: readonly string[]): Promise<readonly DebianPackage[]> {
    const known = new Map<string, DebianPackage | undefined>();
    for (let level = 0; level < MOST_LEVELS; level += 1) {
      const resolution = resolvePackages(names, known);
      if (resolution.kind === 'complete') return resolution.packages;
      const shown = await this.#apt('apt-cache', ['show', '--no-all-versions', ...resolution.names]);
      const found = parsePackages(shown.toString());
      for (const name of resolution.names) known.set(name, undefined);
      for (const one of found) known.set(one.name, one);
    }
    throw new ImagesError('missing-package', `what ${names.join(', ')} need has no end`);
  }

  /** Downloads what is not here yet, checks all of it, and gives the path of each. */
  async download(packages: readonly DebianPackage[]): Promise<ReadonlyMap<string, string>> {
    const directory = join(this.#options.cache, 'packages');
    const paths = new Map(packages.map((one) => [one.name, join(directory, fileName(one))]));
    const absent = packages.filter((one) => !existsSync(paths.get(one.name) ?? ''));
    if (absent.length > 0) {
      const bytes = absent.reduce((sum, { size }) => sum + size, 0);
      this.#options.report(`downloading ${absent.length} Debian packages, ${(bytes / 1e6).toFixed(1)} MB`);
      const exact = absent.map(({ name, version }) => `${name}=${version}`);
      await this.#apt('apt-get', ['download', ...exact], directory);
    }
    for (const one of packages) await check(one, paths.get(one.name) ?? '');
    return paths;
  }

  /** By what lists of one mirror are told from those of another: the words of apt. */
  get #mirror(): string {
    return this.#options.apt?.join(' ') ?? '';
  }

  get #stamp(): string {
    return join(this.#options.cache, 'state', 'fetched');
  }

  async #apt(program: string, words: readonly string[], directory?: string): Promise<Buffer> {
    const { cache, apt = [], signal } = this.#options;
    const settings = [
      `Dir::State=${cache}/state`,
      `Dir::State::status=${cache}/state/status`,
      `Dir::Cache=${cache}/apt-cache`,
      'APT::Architecture=amd64',
      'APT::Sandbox::User=',
      'Acquire::Languages=none',
      'Acquire::Retries=3',
    ].flatMap((setting) => ['-o', setting]);
    return await runProgram(program, ['--quiet', ...settings, ...apt, ...words], { signal, directory });
  }
}

async function check({ name, sha256 }: DebianPackage, path: string): Promise<void> {
  if ((await digestOf(path)) === sha256) return;
  throw new ImagesError('bad-archive', `${path} is not the package ${name} of Debian: remove it and run this again`);
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** As apt names what it downloads. */
function fileName({ name, version, architecture }: LockedPackage): string {
  return `${name}_${version.replaceAll(':', '%3a')}_${architecture}.deb`;
}

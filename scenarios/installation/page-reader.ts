import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { FOLLOWED_BLOCKS, isOf, type FollowedBlock, type PageStory } from './followed-in.ts';
import { readPageBlocks, type PageBlock } from './page-blocks.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');
const MOST_BYTES = 64 * 1024 * 1024;
const run = promisify(execFile);

export interface ReaderPlace {
  readonly story: PageStory;
  /** A directory of their own, in which commands are typed. */
  readonly directory: string;
  readonly kubeconfig: string;
  readonly helm: string;
  /** The made-up names of the pages, and what stands for them here. */
  readonly names: Readonly<Record<string, string>>;
}

export interface FollowOptions {
  /** Further names. */
  readonly names?: Readonly<Record<string, string>>;
  /** Lines with these words are left to the story, since they do not end by themselves or come later. */
  readonly without?: readonly string[];
}

/** Somebody who installs Smalt by the pages: types what stands there, with names of their own. */
export class PageReader {
  readonly #place: ReaderPlace;
  readonly #blocks: readonly PageBlock[];
  readonly #followed = new Set<FollowedBlock>();

  private constructor(place: ReaderPlace, blocks: readonly PageBlock[]) {
    this.#place = place;
    this.#blocks = blocks;
  }

  static async sitDown(place: ReaderPlace): Promise<PageReader> {
    const { directory, helm } = place;
    await mkdir(join(directory, 'bin'));
    await symlink(helm, join(directory, 'bin/helm'));
    await symlink(join(REPOSITORY, 'deploy'), join(directory, 'deploy'));
    // Without a look for newer packages.
    await writeFile(join(directory, 'bin/npx'), `#!/bin/sh\nshift\nexec ${NODE} ${MAIN} "$@"\n`, { mode: 0o755 });
    return new PageReader(place, await readPageBlocks());
  }

  /** Writes the file that a page shows. */
  async write(file: string, containing: string, names: Readonly<Record<string, string>> = {}): Promise<void> {
    const { directory } = this.#place;
    const block = this.#find(({ language }) => language === 'yaml', containing);
    await writeFile(join(directory, file), `${this.#filledIn(block.text, names)}\n`);
  }

  /** Types the block of a page with these words in it, and gives what it prints. */
  async follow(page: string, words: string, { names = {}, without = [] }: FollowOptions = {}): Promise<string> {
    const { directory, kubeconfig, story } = this.#place;
    const block = this.#find((each) => each.page === page && each.language === 'sh', words);
    const entry = FOLLOWED_BLOCKS.find((each) => isOf(each, block));
    if (entry?.stories.includes(story) !== true) throw new TypeError(`${page}: ${words} is not noted for ${story}`);
    const lines = block.text.split('\n').filter((line) => !without.some((each) => line.includes(each)));
    const { stdout } = await run(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', this.#filledIn(lines.join('\n'), names)],
      {
        cwd: directory,
        env: { PATH: `${directory}/bin:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: directory, KUBECONFIG: kubeconfig },
        maxBuffer: MOST_BYTES,
      },
    );
    this.#followed.add(entry);
    return stdout;
  }

  /** The blocks that are noted for this story and that nobody has followed. */
  get left(): readonly FollowedBlock[] {
    return FOLLOWED_BLOCKS.filter((each) => each.stories.includes(this.#place.story) && !this.#followed.has(each));
  }

  #find(isWanted: (block: PageBlock) => boolean, words: string): PageBlock {
    const found = this.#blocks.filter((each) => isWanted(each) && each.text.includes(words));
    const [block] = found;
    if (block === undefined || found.length > 1) throw new TypeError(`${found.length} blocks have ${words}`);
    return block;
  }

  #filledIn(text: string, names: Readonly<Record<string, string>>): string {
    const all = Object.entries({ ...this.#place.names, ...names });
    return all.reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
  }
}

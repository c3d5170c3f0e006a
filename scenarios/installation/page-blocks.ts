import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const PAGES = resolve(import.meta.dirname, '../../docs/install');

/** Lines that stand together on a page for those who install. */
export interface PageBlock {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** All blocks of code of all pages, in their order. */
export async function readPageBlocks(): Promise<readonly PageBlock[]> {
  const pages = (await readdir(PAGES)).filter((name) => name.endsWith('.md')).toSorted();
  const found = await Promise.all(pages.map(async (page) => blocksOf(page, await readFile(join(PAGES, page), 'utf8'))));
  return found.flat();
}

/** With those in lists, which are indented. */
function blocksOf(page: string, markdown: string): readonly PageBlock[] {
  return [...markdown.matchAll(/^( *)```([a-z]+)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', text = '']) => ({
      page,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
    }),
  );
}

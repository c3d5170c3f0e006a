import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

const INSTALL = resolve(import.meta.dirname, '../../docs/install');
const NUMBER = /(?<![\w.,])\d+(?:[.,]\d+)*/g;

it('docs/install/sizing.md quotes figures that stand where it says', async () => {
  const rows = rowsOf(await readFile(resolve(INSTALL, 'sizing.md'), 'utf8'));

  const unknown = await Promise.all(
    rows.map(async ({ program, figures, sources }) => {
      const known = new Set((await Promise.all(sources.map(numbersAt))).flat());
      return { program, figures: figures.filter((figure) => !known.has(figure)) };
    }),
  );

  expect(rows.length).toBeGreaterThan(8);
  expect(unknown.filter(({ figures }) => figures.length > 0)).toEqual([]);
});

interface Row {
  readonly program: string;
  readonly figures: readonly string[];
  /** Where they stand: a page, or one section of it. */
  readonly sources: readonly string[];
}

/** The rows of tables whose last column says where their figures come from. */
function rowsOf(text: string): readonly Row[] {
  return text.split('\n').flatMap((line) => {
    const [, program = '', measured = '', where = ''] = line.split(' | ').flatMap((cell) => cell.split(/^\| /));
    const sources = [...where.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    return sources.length === 0 ? [] : [{ program, figures: measured.match(NUMBER) ?? [], sources }];
  });
}

async function numbersAt(link: string): Promise<readonly string[]> {
  const [path = '', anchor] = link.split('#');
  const text = await readFile(resolve(INSTALL, path), 'utf8');
  const sections = text.split(/^(?=## )/m);
  const section = anchor === undefined ? text : (sections.find((each) => anchorOf(each) === anchor) ?? '');
  return section.match(NUMBER) ?? [];
}

/** As GitHub makes it of a heading. */
function anchorOf(section: string): string {
  const [heading = ''] = section.split('\n');
  return heading
    .replace('## ', '')
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

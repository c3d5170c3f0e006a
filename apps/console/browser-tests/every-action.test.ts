import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { expect, it } from 'vitest';

import { EVERY_ACTION } from './fixtures/every-action.ts';
import { EVERY_PAGE } from './fixtures/suites/every-page.ts';

const PAGES = join(import.meta.dirname, '../web/src');
const CONTROLS = [
  'Button',
  'UnstyledButton',
  'ActionIcon',
  'Burger',
  'Menu.Item',
  'Notification',
  'Switch',
  'Checkbox',
  'SegmentedControl',
  'Select',
  'NativeSelect',
  'Autocomplete',
  'Radio',
  'Tabs.Tab',
  'LinkTo',
  'summary',
];
const CONTROL = new RegExp(`<(?:${CONTROLS.map((name) => name.replace('.', '[.]')).join('|')})\\b(?![.])`, 'g');

it('has a test in a browser for everything on the pages that can be pressed, switched or chosen', async () => {
  const found: Record<string, number> = {};
  for (const [file, text] of await filesIn(PAGES, '.tsx')) {
    const count = text.match(CONTROL)?.length ?? 0;
    if (count > 0) found[file] = count;
  }

  expect(Object.fromEntries(Object.entries(EVERY_ACTION).map(([file, controls]) => [file, controls.length]))).toEqual(
    found,
  );
});

it('names tests that are there', async () => {
  const tests = (await filesIn(import.meta.dirname, '.ts')).map(([, text]) => text).join('\n');
  const titles = new Set(Object.values(EVERY_ACTION).flatMap((controls) => controls.map(([, title]) => title)));

  expect([...titles].filter((title) => !tests.includes(`it('${title}'`))).toEqual([]);
});

it('presses in some test what each table of actions of the pages is called', async () => {
  const tests = (await filesIn(join(import.meta.dirname, 'fixtures'), '.ts')).map(([, text]) => text).join('\n');
  const tables = [
    'pages/virtual-machines/actions/machine-action.ts',
    'pages/high-availability/service/service-switches.ts',
  ];
  const texts = await Promise.all(tables.map((file) => readFile(join(PAGES, file), 'utf8')));
  const labels = texts.flatMap((text) => Array.from(text.matchAll(/^ +label: '(.+)',$/gm), ([, label = '']) => label));

  expect(labels.length).toBeGreaterThan(10);
  expect(labels.filter((label) => !tests.includes(`'${label}'`))).toEqual([]);
});

it('chooses in some test what each list can be narrowed by', async () => {
  const tests = await readFile(join(import.meta.dirname, 'fixtures/suites/narrow.ts'), 'utf8');
  const pages = (await filesIn(PAGES, '.tsx')).map(([, text]) => text).join('\n');
  const labels = Array.from(pages.matchAll(/word: '(\w+)', label: '(\w+)', chosen/g), ([, word, label]) => ({
    word,
    label,
  }));

  expect(labels.length).toBeGreaterThan(5);
  expect(labels.filter(({ word, label }) => !tests.includes(`label: '${label}', word: '${word}'`))).toEqual([]);
});

it('looks at every page that there is an address for', async () => {
  const routes = (await filesIn(PAGES, '.ts')).flatMap(([, text]) =>
    Array.from(text.matchAll(/^ +path: '(\/.*)',$/gm), ([, path = '']) => path),
  );
  // That of an incident needs one: it is looked at where hosts are lost. The first leads elsewhere.
  const elsewhere = ['/', '/high-availability/incidents/$incident'];

  expect(routes).toContain('/fleet/$host');
  expect(routes.filter((route) => !isLookedAt(route))).toEqual(elsewhere);
});

function isLookedAt(route: string): boolean {
  const pattern = new RegExp(`^${route.replaceAll(/[$]\w+/g, '[^/?]+')}$`);
  return EVERY_PAGE.some((page) => pattern.test(page.replace('$switch', '/network/a/b').split('?')[0] ?? ''));
}

async function filesIn(folder: string, end: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map(({ parentPath, name }) => join(parentPath, name));
  return await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')] as const));
}

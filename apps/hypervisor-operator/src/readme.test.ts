import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { operatorFields } from './settings/load-operator-config.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = operatorFields().map(({ path, schema }) => {
    const standard = Array.isArray(schema.default) ? schema.default.join(', ') : String(schema.default ?? '');
    return [`\`${path}\``, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows);
});

it('has every code of its errors', async () => {
  const source = await readFile(join(import.meta.dirname, 'operator-error.ts'), 'utf8');

  const codes = [...source.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, code = '']) => `\`${code}\``);

  expect(codes.length).toBeGreaterThan(0);
  expect(tableAfter('## When it does not start')).toEqual(codes.map((code) => [code, expect.any(String)]));
});

/** The cells of the first table after a heading. */
function tableAfter(heading: string): readonly (readonly string[])[] {
  const section = readme.slice(readme.indexOf(heading)).split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

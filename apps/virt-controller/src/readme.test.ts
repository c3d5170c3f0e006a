import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { virtControllerFields } from './settings/load-virt-controller-config.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = virtControllerFields().map(({ path, schema }) => {
    const standard = Array.isArray(schema.default) ? schema.default.join(', ') : String(schema.default ?? '');
    return [`\`${path}\``, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows);
});

it('has every code of its errors', async () => {
  const source = await readFile(join(import.meta.dirname, 'virt-controller-error.ts'), 'utf8');
  const [, union = ''] = /VirtControllerErrorCode = ([^;]+);/v.exec(source) ?? [];

  const codes = [...union.matchAll(/'([a-z\-]+)'/gv)].map(([, code = '']) => `\`${code}\``);

  expect(codes.length).toBeGreaterThan(0);
  expect(tableAfter('## Errors')).toEqual(codes.map((code) => [code, expect.any(String)]));
});

it('has every metric', async () => {
  const source = await readFile(join(import.meta.dirname, 'metrics/machine-metrics.ts'), 'utf8');

  const names = [...source.matchAll(/'(kubevirt_\w+)'/gv)].map(([, name = '']) => name);

  expect(names.length).toBeGreaterThan(8);
  const short = names.map((name) => name.replace('kubevirt_vmi_migrations', ''));
  expect(short.filter((name) => !readme.includes(name))).toEqual([]);
});

/** The cells of the first table below a heading. */
function tableAfter(heading: string): readonly (readonly string[])[] {
  const lines = readme.slice(readme.indexOf(`${heading}\n`)).split('\n');
  const first = lines.findIndex((line) => line.startsWith('| ---'));
  const after = lines.slice(first + 1);
  const rows = after.slice(
    0,
    after.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

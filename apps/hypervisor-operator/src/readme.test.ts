import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed } from './fixtures/operator-bed.ts';
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

it('has every metric', { timeout: 60_000 }, async () => {
  const { settings } = await fastConfig();
  await using bed = await startOperatorBed({
    cloud: 'none',
    controllers: allControllers(settings),
    operator: { leaderElection: { namespace: 'default', identity: 'test' } },
  });
  const { informers, metrics } = bed.operator.context;
  await informers.whenSynced(AbortSignal.timeout(30_000));

  let text = '';
  for await (const piece of metrics.scrape(AbortSignal.timeout(10_000))) text += piece;

  const cells = tableAfter('## Health and metrics').map(([cell = '']) => cell);
  const known = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !known.some((pattern) => isMeant(pattern, name)))).toEqual([]);
  expect(known.filter((pattern) => !names.some((name) => isMeant(pattern, name)))).toEqual([]);
});

/** Whether a name is the one in the README, or begins like one that ends with a star. */
function isMeant(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

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

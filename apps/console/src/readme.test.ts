import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { CertificateExpiry, MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { ConsoleMetrics } from './console-metrics.ts';
import { consoleFields } from './settings/load-console-config.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = consoleFields().map(({ path, schema }) => {
    const standard = String(schema.default ?? '');
    return [`\`${path}\``, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows);
});

it('has every metric, and no other', () => {
  const registry = new MetricsRegistry();
  new ConsoleMetrics(registry).requests.cell(['api', '200']).add();
  new CertificateExpiry(registry, 'console').tell(new Date(0));
  const names = [...registry.expose().matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);

  const written = tableAfter('## Metrics').flatMap(([cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );

  // Counted wherever something is ignored.
  expect(written.toSorted(byName)).toEqual([...names, 'smalt_ignored_errors_total'].toSorted(byName));
});

function byName(one: string | undefined, other: string | undefined): number {
  return (one ?? '').localeCompare(other ?? '');
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

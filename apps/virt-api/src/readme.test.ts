import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { certificateMetrics } from './metrics/certificate-metrics.ts';
import { virtApiMetrics } from './metrics/virt-api-metrics.ts';
import { virtApiFields } from './settings/load-virt-api-config.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = virtApiFields().map(({ path, schema }) => {
    const standard = String(schema.default ?? '');
    return [`\`${path}\``, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows);
});

it('has every metric, and no other', () => {
  const registry = new MetricsRegistry();
  virtApiMetrics(registry, () => 0);
  certificateMetrics(registry);
  const names = [...registry.expose().matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => `\`${name}\``);

  const written = tableAfter('## Metrics').map(([cell = '']) => cell);

  // Counted wherever something is ignored.
  expect(written.toSorted()).toEqual([...names, '`smalt_ignored_errors_total`'].toSorted());
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { GUEST_METRICS } from './metrics/guest-metric-table.ts';
import { addHandlerMetrics } from './metrics/handler-metrics.ts';
import { virtHandlerFields } from './settings/load-virt-handler-config.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
const errors = await readFile(join(import.meta.dirname, 'virt-handler-error.ts'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = virtHandlerFields().map(({ path, schema }) => {
    const standard = String(schema.default ?? '');
    return [`\`${path}\``, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows);
});

it('has every metric, and no other', () => {
  const registry = new MetricsRegistry();
  addHandlerMetrics(registry, { nodeName: 'n', version: '1' });
  const own = [...registry.expose().matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  const guests = GUEST_METRICS.flatMap(({ metrics }) => metrics.map(({ name }) => name));

  const written = tableAfter('## Metrics').map(([cell = '']) => cell.replaceAll('`', ''));

  // Made where calls are served, where libvirt is asked, and wherever something is ignored.
  const others = [
    'smalt_virt_handler_calls_total',
    'smalt_virt_handler_streams',
    'smalt_virt_handler_readers',
    'smalt_virt_handler_libvirt_up',
    'smalt_ignored_errors_total',
  ];
  expect(written.toSorted()).toEqual([...guests, ...own, ...others].toSorted());
});

it('has every code of its errors', () => {
  const codes = [...errors.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, code = '']) => code);

  expect(
    tableAfter('## Errors')
      .map(([cell = '']) => cell.replaceAll('`', ''))
      .toSorted(),
  ).toEqual(codes.toSorted());
});

/** The cells of the first table after a heading. */
function tableAfter(heading: string): readonly (readonly string[])[] {
  const section = readme.slice(readme.indexOf(`${heading}\n`)).split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

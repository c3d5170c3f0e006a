import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { addRunnerMetrics } from './metrics/runner-metrics.ts';
import { podRunnerFields } from './settings/load-pod-runner-config.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = podRunnerFields().map(({ path, schema }) => {
    const standard = String(schema.default ?? '');
    return [`\`${path}\``, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows);
});

it('has every metric, and no other', () => {
  const registry = new MetricsRegistry();
  addRunnerMetrics(registry, { podCount: () => 0, givenProcessorCount: () => 0 });
  const names = [...registry.expose().matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => `\`${name}\``);

  expect(tableAfter('## Metrics').map(([name]) => name)).toEqual(names);
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

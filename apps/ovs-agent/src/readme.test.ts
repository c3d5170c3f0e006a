import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { switchView } from './fixtures/switch-view.ts';
import { addAgentMetrics } from './metrics/agent-metrics.ts';
import { switchMetricsText } from './metrics/switch-metrics-text.ts';
import { ovsAgentFields } from './settings/load-ovs-agent-config.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = ovsAgentFields().map(({ path, schema }) => {
    const standard = String(schema.default ?? '');
    return [`\`${path}\``, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows);
});

it('has every metric, and no other', () => {
  const registry = new MetricsRegistry();
  addAgentMetrics(registry, { nodeName: 'n', version: '1' });
  const text = [registry.expose(), ...switchMetricsText(switchView())].join('');
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);

  const written = tableAfter('## Metrics').flatMap(([cell = '']) => metricNames(cell));

  // Counted wherever something is ignored, and where calls are served.
  const others = ['smalt_ignored_errors_total', 'smalt_ovs_troubleshooting_calls_total', 'smalt_ovs_captures'];
  expect(written.filter((name) => !others.includes(name)).toSorted()).toEqual(names.toSorted());
});

/** Written short in the table: `a_packets_total`, `…_bytes_total`. */
function metricNames(cell: string): readonly string[] {
  const [first = '', ...rest] = words(cell);
  return [first, ...rest.map((name) => name.replace(/^…/, first.replace(/_[a-z]+_total$/, '')))];
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

function words(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

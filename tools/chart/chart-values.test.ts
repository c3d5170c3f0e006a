import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readChartValues } from './chart-values.ts';
import { CHART } from './helm.ts';
import { valuesSchema } from './values-schema.ts';
import { withValuesTable } from './values-table.ts';

const SAMPLE = `# Values of something.

image:
  # Where images come from.
  registry: here
  tag: ''
# Labels of
# everything.
labels: {}
parts:
  - a
`;

/** What every part has, told once in the README. */
const COMMON =
  /[.](enabled|repository|tag|digest|extra\w+|pod\w+|nodeSelector|tolerations|affinity|serviceAccount[.]annotations|hostAliases|dnsConfig|priorityClassName|securityContext|resources|name|kind|group)$/;

it('are read in their order, with the comments above them', () => {
  expect(readChartValues(SAMPLE)).toEqual([
    { path: 'image.registry', default: 'here', meaning: 'Where images come from.' },
    { path: 'image.tag', default: '', meaning: '' },
    { path: 'labels', default: {}, meaning: 'Labels of everything.' },
    { path: 'parts', default: ['a'], meaning: '' },
  ]);
});

it('give a schema that takes no other name', () => {
  expect(valuesSchema(readChartValues(SAMPLE))).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: {
      image: {
        additionalProperties: false,
        properties: { registry: { type: 'string' }, tag: { $ref: '#/definitions/tag' } },
      },
      labels: { description: 'Labels of everything.', $ref: '#/definitions/ownLabels' },
      parts: { type: 'array' },
    },
    definitions: { ownLabels: { type: 'object', additionalProperties: false } },
  });
});

it('give a table, between the marks of a page', () => {
  const page = 'A\n<!-- values: written by npm run generate -->\nold\n<!-- /values -->\nB\n';

  expect(withValuesTable(page, readChartValues(SAMPLE)).split('\n').slice(2, -3)).toEqual([
    '| value | default | meaning |',
    '| --- | --- | --- |',
    '| `image.registry` | `here` | Where images come from. |',
    '| `labels` |  | Labels of everything. |',
  ]);
  expect(() => withValuesTable('nothing', [])).toThrow('the page lacks');
});

it('are all explained, in values.yaml or, where every part has them, in the README', async () => {
  const values = readChartValues(await readFile(join(CHART, 'values.yaml'), 'utf8'));

  const unexplained = values.filter(({ path, meaning }) => meaning === '' && !COMMON.test(path));
  expect(unexplained.map(({ path }) => path)).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { CHART } from './helm.ts';
import { shareSchemas } from './share-schemas.ts';

const name = { type: 'string', pattern: '^[a-z]+$' };
const volume = { type: 'object', properties: { name } };

it('tells what stands in several places once, with what each place means by it', () => {
  const schema = {
    type: 'object',
    properties: { one: { description: 'The first.', ...volume }, other: volume, free: { type: 'string' } },
  };

  expect(shareSchemas(schema, { volume })).toEqual({
    type: 'object',
    properties: {
      one: { description: 'The first.', $ref: '#/definitions/volume' },
      other: { $ref: '#/definitions/volume' },
      free: { type: 'string' },
    },
    definitions: { volume },
  });
});

it('finds those that are in others alone, and leaves out those that are nowhere', () => {
  const schema = { items: volume };

  expect(shareSchemas(schema, { name, volume, unused: { type: 'integer' } })).toEqual({
    items: { $ref: '#/definitions/volume' },
    definitions: { name, volume: { type: 'object', properties: { name: { $ref: '#/definitions/name' } } } },
  });
});

it('says of the values of the chart nothing long twice', async () => {
  const schema: unknown = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8'));

  const texts = schemasIn(schema).map((each) => JSON.stringify({ ...each, description: undefined }));
  const long = texts.filter((text) => text.length > 150);
  expect(long.filter((text, index) => long.indexOf(text) < index)).toEqual([]);
});

function schemasIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(schemasIn);
  return Array.isArray(value) ? below : [value, ...below];
}

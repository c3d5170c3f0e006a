import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { StoredObject } from './stored-object.ts';

it('reads a field once, also when what it says is empty or was forgotten', () => {
  const object = new StoredObject({
    key: 'default/a',
    resourceVersion: 1,
    bytes: Buffer.from('{"spec":{"node":"n1"}}'),
  });
  const asked: JsonObject[] = [];
  const read = (text: string) => (value: JsonObject) => {
    asked.push(value);
    return text;
  };

  const first = [object.field('node', read('n1')), object.field('phase', read(''))];
  object.dropValue();
  const again = [object.field('node', read('other')), object.field('phase', read('other'))];

  expect(first).toEqual(['n1', '']);
  expect(again).toEqual(first);
  expect(asked).toEqual([{ spec: { node: 'n1' } }, { spec: { node: 'n1' } }]);
});

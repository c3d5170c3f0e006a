import { expect, it } from 'vitest';

import { machines } from '../registry/fixtures/test-resources.ts';
import { Catalog, type CatalogChange } from './catalog.ts';

const V1 = machines();
const V2 = machines({ version: 'v2' });

it('finds a resource by its plural name and by its kind, in each version', () => {
  const catalog = new Catalog();

  catalog.replace('machines', [V1, V2]);

  expect(catalog.find('bench.example.dev', 'v2', 'machines')).toBe(V2);
  expect(catalog.findKind('bench.example.dev', 'v1', 'Machine')).toBe(V1);
  expect(catalog.find('bench.example.dev', 'v3', 'machines')).toBeUndefined();
  expect(catalog.versionsOf('bench.example.dev', 'machines')).toEqual([V1, V2]);
});

it('tells what has come and gone, and nothing when nothing has', () => {
  const catalog = new Catalog();
  const changes: CatalogChange[] = [];
  const unsubscribe = catalog.subscribe((change) => changes.push(change));

  catalog.replace('machines', [V1]);
  catalog.replace('machines', [V1]);
  catalog.replace('machines', [V2]);
  catalog.replace('machines', []);
  unsubscribe();
  catalog.replace('machines', [V1]);

  expect(changes).toEqual([
    { added: [V1], removed: [] },
    { added: [V2], removed: [V1] },
    { added: [], removed: [V2] },
  ]);
  expect(catalog.generation).toBe(4);
});

it('keeps the resources of one source when another one changes', () => {
  const catalog = new Catalog();
  catalog.replace('one', [V1]);

  catalog.replace('two', [V2]);
  catalog.replace('two', []);

  expect(catalog.resources).toEqual([V1]);
});

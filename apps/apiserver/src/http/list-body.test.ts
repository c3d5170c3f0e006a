import * as fc from 'fast-check';
import { builtInResources } from '@smalt/kubernetes-api';
import { describe, expect, it } from 'vitest';

import type { TableSource } from '../table/make-table.ts';
import { listBody, partialListText } from './list-body.ts';

describe('listBody', () => {
  it('is as long as it says, and holds every item, whatever their sizes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 8 }), (sizes) => {
        const items = sizes.map((size, index) => source(`n${index}`, 'x'.repeat(size)));

        const body = listBody(configMaps(), { items, metadata: { resourceVersion: '7' } });
        const bytes = Buffer.concat([...body.pieces()]);

        expect(bytes.length).toBe(body.length);
        expect(JSON.parse(bytes.toString())).toEqual({
          kind: 'ConfigMapList',
          apiVersion: 'v1',
          metadata: { resourceVersion: '7' },
          items: items.map(({ value }) => value),
        });
      }),
      { numRuns: 30 },
    );
  });

  it('comes in pieces when it is large', () => {
    const items = Array.from({ length: 20 }, (_, index) => source(`n${index}`, 'x'.repeat(50_000)));

    const sizes = [...listBody(configMaps(), { items, metadata: {} }).pieces()].map((piece) => piece.length);

    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
  });
});

it('lists only what identifies objects', () => {
  const text = partialListText({ items: [source('a', 'x')], metadata: {} }, 'v1');

  expect(JSON.parse(text)).toEqual({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {},
    items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } }],
  });
});

function source(name: string, content: string): TableSource {
  const value = { metadata: { name }, data: { content } };
  const bytes = Buffer.from(JSON.stringify(value));
  return { value, bytes, byteLength: bytes.length };
}

function configMaps(): ReturnType<typeof builtInResources>[number] {
  const found = builtInResources().find(({ plural }) => plural === 'configmaps');
  if (found === undefined) throw new Error('there are no config maps');
  return found;
}

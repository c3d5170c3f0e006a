import * as fc from 'fast-check';
import { builtInResources } from '@smalt/kubernetes-api';
import { describe, expect, it } from 'vitest';

import type { TableSource } from '../table/make-table.ts';
import { listBody, partialListBody, tableBody, type PiecewiseBody } from './list-body.ts';

describe('listBody', () => {
  it('is as long as it says, and holds every item, whatever their sizes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 8 }), (sizes) => {
        const items = sizes.map((size, index) => source(`n${index}`, 'x'.repeat(size)));

        const body = listBody(configMaps(), { items, metadata: { resourceVersion: '7' } });
        const bytes = whole(body);

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

describe('partialListBody', () => {
  it('holds only what identifies objects', () => {
    const body = partialListBody({ items: [source('a', 'x')], metadata: {} }, 'v1');

    expect(read(body)).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: {},
      items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } }],
    });
  });
});

describe('tableBody', () => {
  const options = { version: 'v1', includeObject: 'Object', hasHeaders: true, now: new Date(0) } as const;

  it('holds a row for each object, however many slices it takes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 8 }), (sizes) => {
        const items = sizes.map((size, index) => source(`n${index}`, 'x'.repeat(size)));

        const table = read(tableBody(configMaps(), { items, metadata: { resourceVersion: '7' } }, options));

        expect(table).toMatchObject({ kind: 'Table', metadata: { resourceVersion: '7' } });
        expect(table).toHaveProperty(
          'rows',
          items.map(({ value }, index) => ({ cells: [`n${index}`, 1, '<unknown>'], object: value })),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('shows the name of an event where the kind wants it', () => {
    const events = builtInResources().find(({ group, plural }) => group === '' && plural === 'events');
    if (events === undefined) throw new Error('there are no events');

    const table = read(tableBody(events, { items: [source('a', 'x')], metadata: {} }, options));

    expect(table).toHaveProperty('columnDefinitions.0.name', 'Last Seen');
    expect(table).toHaveProperty('rows.0.cells.9', 'a');
  });
});

function read(body: PiecewiseBody): unknown {
  return JSON.parse(whole(body).toString());
}

function whole(body: PiecewiseBody): Buffer {
  return Buffer.concat(Array.from(body.pieces(), (piece) => Buffer.from(piece)));
}

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

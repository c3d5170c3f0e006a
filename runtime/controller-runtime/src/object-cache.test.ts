import type { KubernetesObject } from '@smalt/kubernetes';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ObjectCache } from './object-cache.ts';
import { keyOf, splitKey } from './object-key.ts';

describe('ObjectCache', () => {
  it('finds objects by key and by index', () => {
    const cache = nodeCache();
    cache.put(object('a', '1', 'n1'));
    cache.put(object('b', '2', 'n1'));

    cache.put(object('b', '3', 'n2'));

    expect(cache.get('ns/b')?.metadata.resourceVersion).toBe('3');
    expect(names(cache.byIndex('node', 'n1'))).toEqual(['a']);
    expect(names(cache.byIndex('node', 'n2'))).toEqual(['b']);
    expect(cache.byIndex('node', 'n3')).toEqual([]);
    expect(cache.size).toBe(2);
  });

  it('tells what changed, and nothing when nothing did', () => {
    const cache = nodeCache();
    const [first, second] = [object('a', '1', 'n1'), object('a', '2', 'n1')];

    const changes = [
      cache.put(first),
      cache.put({ ...first }),
      cache.put(second),
      cache.remove('ns/a'),
      cache.remove('x'),
    ];

    expect(changes).toEqual([
      { key: 'ns/a', old: undefined, current: first },
      undefined,
      { key: 'ns/a', old: first, current: second },
      { key: 'ns/a', old: second, current: undefined },
      undefined,
    ]);
  });

  it('takes an object that was made anew for another', () => {
    const cache = nodeCache();
    cache.put({ ...object('a', '1', 'n1') });

    const again = object('a', '1', 'n1');
    const change = cache.put({ ...again, metadata: { ...again.metadata, uid: 'other' } });

    expect(change).toBeDefined();
  });

  it('replaces everything and tells what came, changed and went', () => {
    const cache = nodeCache();
    for (const each of [object('stays', '1', 'n1'), object('changes', '2', 'n1'), object('goes', '3', 'n1')])
      cache.put(each);

    const changes = cache.replace([
      object('stays', '1', 'n1'),
      object('changes', '5', 'n2'),
      object('comes', '6', 'n2'),
    ]);

    expect(changes.map(({ key, old, current }) => [key, old !== undefined, current !== undefined])).toEqual([
      ['ns/goes', true, false],
      ['ns/changes', true, true],
      ['ns/comes', false, true],
    ]);
  });

  it('indexes what is there already', () => {
    const cache = nodeCache();
    cache.put(object('a', '1', 'n1'));

    cache.addIndex('name', ({ metadata }) => [metadata.name]);

    expect(names(cache.byIndex('name', 'a'))).toEqual(['a']);
  });

  it('stays as it was when an indexer throws', () => {
    const cache = nodeCache();
    cache.put(object('a', '1', 'n1'));
    cache.addIndex('strict', ({ metadata }) => {
      if (metadata.resourceVersion === '2') throw new Error('not indexable');
      return [metadata.name];
    });

    expect(() => cache.put(object('a', '2', 'n2'))).toThrow('not indexable');

    expect(cache.get('ns/a')?.metadata.resourceVersion).toBe('1');
    expect([names(cache.byIndex('node', 'n1')), cache.byIndex('node', 'n2')]).toEqual([['a'], []]);
  });

  it('complains about an index that is not there, or there twice', () => {
    const cache = nodeCache();

    expect([cache.hasIndex('node'), cache.hasIndex('host')]).toEqual([true, false]);
    expect(() => cache.byIndex('host', 'x')).toThrow('there is no index "host"');
    expect(() => cache.addIndex('node', () => [])).toThrow('there is an index "node" already');
  });

  it('has indexes that equal those made from scratch, after any changes', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const node = fc.constantFrom('n1', 'n2', 'n3');
    const change = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), name, node }),
      fc.record({ kind: fc.constant('remove' as const), name, node }),
      fc.record({ kind: fc.constant('replace' as const), name, node, others: fc.uniqueArray(name) }),
    );
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const cache = nodeCache();

        for (const [version, each] of changes.entries()) {
          const made = object(each.name, String(version), each.node);
          if (each.kind === 'put') cache.put(made);
          if (each.kind === 'remove') cache.remove(keyOf(made));
          if (each.kind === 'replace')
            cache.replace(each.others.map((other) => object(other, String(version), each.node)));
        }

        const fresh = nodeCache();
        for (const each of cache.list()) fresh.put(each);
        for (const value of ['n1', 'n2', 'n3']) {
          expect(names(cache.byIndex('node', value)).toSorted()).toEqual(
            names(fresh.byIndex('node', value)).toSorted(),
          );
        }
      }),
    );
  });
});

describe('keys', () => {
  it.each([
    ['ns/a', { namespace: 'ns', name: 'a' }],
    ['a', { namespace: undefined, name: 'a' }],
  ])('splits %s', (key, parts) => {
    expect(splitKey(key)).toEqual(parts);
  });
});

interface Guest extends KubernetesObject {
  readonly spec: { readonly node: string };
}

function nodeCache(): ObjectCache<Guest> {
  const cache = new ObjectCache<Guest>();
  cache.addIndex('node', ({ spec }) => [spec.node]);
  return cache;
}

function object(name: string, resourceVersion: string, node: string): Guest {
  return {
    apiVersion: 'v1',
    kind: 'Guest',
    metadata: { name, namespace: 'ns', uid: name, resourceVersion },
    spec: { node },
  };
}

function names(objects: readonly Guest[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name);
}

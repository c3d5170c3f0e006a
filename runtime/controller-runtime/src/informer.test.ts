import type { ServerResponse } from 'node:http';

import { INITIAL_EVENTS_END, parseFieldSelector, parseLabelSelector } from '@smalt/kubernetes';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { Informer, type InformerOptions } from './informer.ts';
import { Informers } from './informers.ts';
import type { ObjectChange } from './object-cache.ts';
import { startScriptedServer, type Answer } from './scripted-server.ts';

const guestKind: KindReference = { group: 'x.dev', version: 'v1', kind: 'Guest', plural: 'guests', isNamespaced: true };

describe('Informer', () => {
  it('fills its cache by a watch that begins with all objects, and goes on with the same watch', async () => {
    await using world = await startWorld((query, response) => {
      expect(query.get('sendInitialEvents')).toBe('true');
      send(response, added('a', '1'), added('b', '2'), initialEnd('7'), added('c', '8'), deleted('a', '9'));
    });

    await world.until(() => world.seen.length === 4);

    expect(world.seen).toEqual(['+a', '+b', '+c', '-a']);
    expect(world.server.queries).toHaveLength(1);
    expect(world.informer.hasSynced).toBe(true);
  });

  it('fills it page by page where the server knows no such watch', async () => {
    await using world = await startWorld((query, response) => {
      if (query.has('sendInitialEvents')) refuse(response, 422, 'Invalid');
      else if (query.has('watch')) send(response, added('c', '8'));
      else if (query.has('continue')) sendList(response, { resourceVersion: '7' }, guest('b', '2'));
      else sendList(response, { resourceVersion: '7', continue: 'more' }, guest('a', '1'));
    });

    await world.until(() => world.seen.length === 3);

    expect(world.seen).toEqual(['+a', '+b', '+c']);
    expect(world.server.queries.at(-1)?.get('resourceVersion')).toBe('7');
  });

  it('lists where the server fails at such a watch', async () => {
    await using world = await startWorld((query, response) => {
      if (query.has('sendInitialEvents')) refuse(response, 500, 'InternalError');
      else if (query.has('watch')) send(response, added('b', '8'));
      else sendList(response, { resourceVersion: '7' }, guest('a', '1'));
    });

    await world.until(() => world.seen.length === 2);

    expect(world.seen).toEqual(['+a', '+b']);
  });

  it('goes on after the last event when the connection is lost, and repeats nothing', async () => {
    await using world = await startWorld((query, response) => {
      if (query.has('sendInitialEvents')) send(response, added('a', '1'), initialEnd('7'));
      else if (query.get('resourceVersion') === '7') send(response, added('b', '8'));
      else send(response, added('c', '9'));
    });
    await world.until(() => world.informer.hasSynced);

    world.server.disconnect();
    await world.until(() => world.seen.length === 2);
    world.server.disconnect();
    await world.until(() => world.seen.length === 3);

    expect(world.seen).toEqual(['+a', '+b', '+c']);
    expect(world.server.queries.map((query) => query.get('resourceVersion'))).toEqual([null, '7', '8']);
  });

  it('lists again when it has missed something, and notices what went meanwhile', async () => {
    let lists = 0;
    const counted: object[] = [];
    await using world = await startWorld((query, response) => {
      if (!query.has('sendInitialEvents')) return refuse(response, 410, 'Expired');
      lists++;
      counted.push({ ...world.informer.lists });
      if (lists > 1) return send(response, added('b', '20'), added('c', '3'), added('d', '21'), initialEnd('30'));
      send(response, added('a', '1'), added('b', '2'), added('c', '3'), initialEnd('7'));
      return response.end();
    });

    await world.until(() => world.seen.length === 6);

    expect(world.seen).toEqual(['+a', '+b', '+c', '-a', '~b', '+d']);
    expect(world.informer.cache.size).toBe(3);
    // One that is under way is not what the cache goes back to.
    expect([...counted, world.informer.lists]).toEqual([
      { begun: 1, kept: 0, keptBegunAt: undefined },
      { begun: 2, kept: 1, keptBegunAt: expect.any(Number) },
      { begun: 2, kept: 2, keptBegunAt: expect.any(Number) },
    ]);
  });

  it('knows when the list was begun that its cache goes back to, however long it took', async () => {
    let time = 1_000;
    await using world = await startWorld(
      (_query, response) => {
        time = 5_000;
        send(response, added('a', '1'), initialEnd('7'));
      },
      {},
      () => time,
    );

    await world.until(() => world.informer.hasSynced);

    expect(world.informer.lists.keptBegunAt).toBe(1_000);
  });

  it('takes nothing older than it has seen where such a watch is refused, whichever server it comes to', async () => {
    let lists = 0;
    const select = { labelSelector: parseLabelSelector('host=h1') };
    await using world = await startWorld(
      (query, response) => {
        if (query.has('sendInitialEvents')) return refuse(response, 422, 'Invalid');
        if (!query.has('watch'))
          return sendList(response, { resourceVersion: lists++ === 0 ? '7' : '30' }, guest('a', '1'));
        if (query.get('resourceVersion') === '7') send(response, added('b', '8'), event('BOOKMARK', guest('', '9')));
        else if (query.get('resourceVersion') === '9') return refuse(response, 410, 'Expired');
        return lists === 1 ? response.end() : undefined;
      },
      { select },
    );

    await world.until(() => world.seen.length === 3);

    expect(world.seen).toEqual(['+a', '+b', '-b']);
    const listed = world.server.queries.filter((query) => !query.has('watch'));
    expect(listed.map((query) => [query.get('resourceVersion'), query.get('resourceVersionMatch')])).toEqual([
      ['0', null],
      ['9', 'NotOlderThan'],
    ]);
  });

  it('starts over when the watch breaks before all objects have come', async () => {
    let lists = 0;
    await using world = await startWorld((_query, response) => {
      lists++;
      if (lists === 1) return response.end(`${added('gone', '1')}\n`);
      return send(response, added('a', '2'), initialEnd('7'));
    });

    await world.until(() => world.informer.hasSynced);

    expect(world.seen).toEqual(['+a']);
    expect(world.failures).toEqual([expect.objectContaining({ code: 'bad-answer' })]);
  });

  it('waits longer after each failure', async () => {
    await using world = await startWorld((_query, response) => refuse(response, 500, 'InternalError'));

    await world.until(() => world.delays.length === 4);

    expect(world.delays.slice(0, 4)).toEqual([800, 1_600, 3_200, 6_400]);
  });

  it('asks only for what is of interest', async () => {
    const select = {
      namespace: 'ns',
      labelSelector: parseLabelSelector('app=web'),
      fieldSelector: parseFieldSelector('spec.node=n1'),
    };
    await using world = await startWorld((_query, response) => send(response, initialEnd('7')), { select });

    await world.until(() => world.informer.hasSynced);

    expect(Object.fromEntries(world.server.queries[0] ?? [])).toMatchObject({
      labelSelector: 'app=web',
      fieldSelector: 'spec.node=n1',
    });
    expect(world.paths[0]).toBe('/apis/x.dev/v1/namespaces/ns/guests');
  });

  it('keeps no managed fields, or what it is told to keep', async () => {
    const object = { ...guest('a', '1'), metadata: { ...guest('a', '1').metadata, managedFields: [{}] } };
    const answer: Answer = (_query, response) => send(response, event('ADDED', object), initialEnd('7'));
    await using plain = await startWorld(answer);
    await using transformed = await startWorld(answer, { transform: (each) => ({ ...each, kind: 'Kept' }) });

    await plain.until(() => plain.informer.hasSynced);
    await transformed.until(() => transformed.informer.hasSynced);

    expect(plain.informer.cache.get('ns/a')).toEqual(guest('a', '1'));
    expect(transformed.informer.cache.get('ns/a')).toMatchObject({ kind: 'Kept', metadata: { managedFields: [{}] } });
  });

  it('hands out what nobody can change', async () => {
    const labelled = { ...guest('a', '1'), spec: { list: [{ x: 1 }] } };
    await using world = await startWorld((_query, response) =>
      send(response, event('ADDED', labelled), initialEnd('7')),
    );
    await world.until(() => world.informer.hasSynced);

    const object = world.informer.cache.get('ns/a');
    const list: unknown = Reflect.get(Reflect.get(object ?? {}, 'spec'), 'list');

    expect([object, object?.metadata, list].map((each) => Object.isFrozen(each))).toEqual([true, true, true]);
    expect(() => Object.assign(list as object[], { 0: 'changed' })).toThrow(TypeError);
  });

  it('tells a handler that comes later of all it knows, until that has enough', async () => {
    await using world = await startWorld((query, response) => {
      if (query.has('sendInitialEvents')) send(response, added('a', '1'), initialEnd('7'));
      else send(response, added('b', '8'));
    });
    await world.until(() => world.informer.hasSynced);
    const late: string[] = [];

    const stop = world.informer.onChange(({ key }) => late.push(key));
    stop();
    world.server.disconnect();
    await world.until(() => world.seen.length === 2);

    expect(late).toEqual(['ns/a']);
  });

  it('is not stopped by a handler that throws', async () => {
    await using world = await startWorld((_query, response) =>
      send(response, added('a', '1'), added('b', '2'), initialEnd('7')),
    );
    world.informer.onChange(() => {
      throw new Error('a mistake');
    });
    world.informer.onChange(({ key }) => world.seen.push(key));

    await world.until(() => world.seen.length === 4);

    expect(world.failures).toHaveLength(2);
  });

  it('ends when its client is disposed of', async () => {
    await using world = await startWorld((_query, response) => send(response, initialEnd('7')));
    await world.until(() => world.informer.hasSynced);

    await world.server.client[Symbol.asyncDispose]();

    await expect(world.running).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('Informers', () => {
  it('share one watch among all who ask for the same, and start those that are asked for late', async () => {
    await using server = await startScriptedServer((_query, response) =>
      send(response, added('a', '1'), initialEnd('7')),
    );
    const informers = new Informers(server.client, { onFailure: () => {} });
    const stopping = new AbortController();
    const first = informers.for(guestKind);
    const running = informers.run(stopping.signal);

    const late = informers.for(guestKind, { select: { namespace: 'ns' } });
    const unsynced = informers.unsynced();
    await informers.whenSynced(stopping.signal);

    expect(informers.for(guestKind)).toBe(first);
    expect(late).not.toBe(first);
    expect(unsynced).toEqual(['x.dev/v1 guests', 'x.dev/v1 guests ns']);
    expect([late.cache.size, informers.unsynced(), server.queries.length]).toEqual([1, [], 2]);
    stopping.abort();
    await running;
  });
});

async function startWorld(
  answer: Answer,
  options: Partial<InformerOptions<KubernetesObject>> = {},
  monotonic = () => performance.now(),
) {
  const paths: string[] = [];
  const server = await startScriptedServer((query, response, path) => {
    paths.push(path);
    answer(query, response, path);
  });
  const stopping = new AbortController();
  const world = { seen: [] as string[], failures: [] as unknown[], delays: [] as number[] };
  // Tests do not wait for delays: each ends after one turn of the loop.
  const clock = {
    now: () => Date.now(),
    monotonic,
    later: () => () => {},
    wait: () => new Promise<void>((resolve) => void setImmediate(resolve)),
  };
  const informer = new Informer<KubernetesObject>(server.client.resource(guestKind), {
    ...options,
    clock,
    random: () => 1,
    onFailure: (error, delayMs) => {
      world.failures.push(error);
      world.delays.push(delayMs);
    },
  });
  const changed = new Set<() => void>();
  informer.onChange((change) => void world.seen.push(describeChange(change)));
  const running = informer.run(stopping.signal);
  running.catch(() => undefined);
  return {
    ...world,
    paths,
    server,
    informer,
    running,
    changed,
    until: async (isTrue: () => boolean) => {
      while (!isTrue()) await new Promise((resolve) => void setImmediate(resolve));
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running.catch(() => undefined);
      await server[Symbol.asyncDispose]();
    },
  };
}

function describeChange({ key, old, current }: ObjectChange<KubernetesObject>): string {
  const sign = old === undefined ? '+' : current === undefined ? '-' : '~';
  return `${sign}${key.replace('ns/', '')}`;
}

function send(response: ServerResponse, ...lines: readonly string[]): void {
  response.write(`${lines.join('\n')}\n`);
}

function sendList(response: ServerResponse, metadata: object, ...items: readonly KubernetesObject[]): void {
  response.end(JSON.stringify({ apiVersion: 'x.dev/v1', kind: 'GuestList', metadata, items }));
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  response.writeHead(code).end(JSON.stringify({ apiVersion: 'v1', kind: 'Status', metadata: {}, code, reason }));
}

function added(name: string, resourceVersion: string): string {
  return event('ADDED', guest(name, resourceVersion));
}

function deleted(name: string, resourceVersion: string): string {
  return event('DELETED', guest(name, resourceVersion));
}

function initialEnd(resourceVersion: string): string {
  return event('BOOKMARK', { metadata: { resourceVersion, annotations: { [INITIAL_EVENTS_END]: 'true' } } });
}

function event(type: string, object: unknown): string {
  return JSON.stringify({ type, object });
}

function guest(name: string, resourceVersion: string): KubernetesObject {
  return { apiVersion: 'x.dev/v1', kind: 'Guest', metadata: { name, namespace: 'ns', resourceVersion } };
}

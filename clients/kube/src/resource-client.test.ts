import type { KindReference, KubernetesObject, WatchEvent } from '@smalt/kubernetes';
import { parseFieldSelector, parseLabelSelector } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { sendJson, startFakeServer, type Answer } from './fake-server.ts';
import { follow } from './follow.ts';
import { KubeClient } from './kube-client.ts';

interface Machine extends KubernetesObject {
  readonly spec: { readonly cpus: number };
}

const machines: KindReference<Machine> = {
  group: 'example.dev',
  version: 'v1',
  kind: 'Machine',
  plural: 'machines',
  isNamespaced: true,
};

describe('requests', () => {
  it('creates in the namespace of the object, as the manager of its name, strictly', async () => {
    await using world = await startWorld((request, response) =>
      sendJson(response, 201, { ...JSON.parse(request.body) }),
    );

    const created = await world.machines.create({ metadata: { name: 'a', namespace: 'n' }, spec: { cpus: 2 } });

    expect(created).toEqual({
      apiVersion: 'example.dev/v1',
      kind: 'Machine',
      metadata: { name: 'a', namespace: 'n' },
      spec: { cpus: 2 },
    });
    expect(world.seen()).toEqual([
      'POST /apis/example.dev/v1/namespaces/n/machines?fieldManager=test&fieldValidation=Strict',
    ]);
  });

  it('applies the status with a manager of its own, and asks for metadata alone in return', async () => {
    await using world = await startWorld((_request, response) => sendJson(response, 200, { metadata: {} }));

    await world.machines.applyStatus('a', { phase: 'Up' }, { fieldManager: 'node-agent', force: true });

    expect(world.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/apis/example.dev/v1/namespaces/default/machines/a/status',
      headers: {
        accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
        'content-type': 'application/apply-patch+yaml',
      },
    });
    expect(world.requests[0]?.query.toString()).toBe('fieldManager=node-agent&fieldValidation=Strict&force=true');
    expect(JSON.parse(world.requests[0]?.body ?? '')).toEqual({
      apiVersion: 'example.dev/v1',
      kind: 'Machine',
      metadata: { name: 'a', namespace: 'default' },
      status: { phase: 'Up' },
    });
  });

  it('lists all pages', async () => {
    await using world = await startWorld((request, response) => {
      const isFirst = request.query.get('continue') === null;
      sendJson(response, 200, {
        metadata: isFirst ? { continue: 'more' } : {},
        items: [machine(isFirst ? 'a' : 'b', '1')],
      });
    });

    const names: string[] = [];
    for await (const page of world.machines.pages({ labelSelector: parseLabelSelector('x in (1,2)') })) {
      names.push(...page.items.map(({ metadata }) => metadata.name));
    }

    expect(names).toEqual(['a', 'b']);
    expect(world.seen()).toEqual([
      'GET /apis/example.dev/v1/machines?labelSelector=x+in+%281%2C2%29&limit=500',
      'GET /apis/example.dev/v1/machines?labelSelector=x+in+%281%2C2%29&limit=500&continue=more',
    ]);
  });

  it('names the moment of a list once only', async () => {
    await using world = await startWorld((request, response) => {
      const metadata = request.query.has('continue') ? {} : { continue: 'more' };
      sendJson(response, 200, { metadata, items: [] });
    });

    for await (const page of world.machines.pages({ resourceVersion: '5', resourceVersionMatch: 'Exact', limit: 1 })) {
      expect(page.items).toEqual([]);
    }

    expect(world.requests.map(({ query }) => query.toString())).toEqual([
      'limit=1&resourceVersion=5&resourceVersionMatch=Exact',
      'limit=1&continue=more',
    ]);
  });

  it('says of the items of a list what they are', async () => {
    await using world = await startWorld((_request, response) =>
      sendJson(response, 200, { metadata: {}, items: [{ metadata: { name: 'a' }, spec: { cpus: 1 } }] }),
    );

    const { items } = await world.machines.list();

    expect(items).toMatchObject([{ apiVersion: 'example.dev/v1', kind: 'Machine', metadata: { name: 'a' } }]);
  });

  it('deletes only the object that is meant', async () => {
    await using world = await startWorld((_request, response) => sendJson(response, 200, {}));

    await world.machines.delete('a', { uid: 'u1', propagationPolicy: 'Foreground' });

    expect(JSON.parse(world.requests[0]?.body ?? '')).toMatchObject({
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u1' },
    });
  });

  it('sends patches with the type of their kind', async () => {
    await using world = await startWorld((_request, response) => sendJson(response, 200, { metadata: {} }));

    await world.machines.patch('a', 'json', [{ op: 'remove', path: '/spec' }]);
    await world.machines.patch('a', 'merge', { spec: null }, { subresource: 'status' });

    expect(world.requests.map(({ path, headers }) => [path.split('machines/')[1], headers['content-type']])).toEqual([
      ['a', 'application/json-patch+json'],
      ['a/status', 'application/merge-patch+json'],
    ]);
  });
});

describe('watch', () => {
  it('gives the events of one packet in one batch, whole lines only', async () => {
    await using world = await startWorld((_request, response) => {
      const lines = [event('ADDED', 'a', '1'), event('MODIFIED', 'a', '2')];
      response.write(`${lines.join('\n')}\n{"type":"DEL`);
      setImmediate(() => response.end(`ETED","object":${JSON.stringify(machine('a', '3'))}}\n`));
    });

    const seen = await collect(world.machines.watch({ resourceVersion: '0' }));

    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });

  it('throws what the server says, after the events before it', async () => {
    await using world = await startWorld((_request, response) => {
      const status = {
        apiVersion: 'v1',
        kind: 'Status',
        metadata: {},
        reason: 'Expired',
        code: 410,
        message: 'too old',
      };
      response.end(`${event('ADDED', 'a', '1')}\n${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    });
    const seen: string[] = [];

    const watching = (async () => {
      for await (const events of world.machines.watch()) seen.push(...events.map(({ type }) => type));
    })();

    await expect(watching).rejects.toMatchObject({ code: 'expired', message: expect.stringContaining('too old') });
    expect(seen).toEqual(['ADDED']);
  });

  it('ends when the caller has enough', async () => {
    await using world = await startWorld((_request, response) => {
      response.write(`${event('ADDED', 'a', '1')}\n`);
    });

    for await (const events of world.machines.watch()) {
      expect(events).toHaveLength(1);
      break;
    }
  });
});

describe('follow', () => {
  it('goes on after the last event or bookmark when a watch ends', async () => {
    const stopping = new AbortController();
    await using world = await startWorld((_request, response) => {
      const first = [event('ADDED', 'a', '5'), event('BOOKMARK', '', '9')];
      if (world.requests.length === 1) response.end(`${first.join('\n')}\n`);
      else response.write(`${event('MODIFIED', 'a', '12')}\n`);
    });

    const seen: string[] = [];
    for await (const events of follow(world.machines, {
      resourceVersion: '3',
      signal: stopping.signal,
      random: () => 1,
    })) {
      seen.push(...events.map(({ type }) => type));
      if (seen.length === 2) stopping.abort();
    }

    expect(seen).toEqual(['ADDED', 'MODIFIED']);
    expect(world.requests.map(({ query }) => query.get('resourceVersion'))).toEqual(['3', '9']);
  });

  it('waits longer after each failure, and starts afresh after a success', async () => {
    const stopping = new AbortController();
    await using world = await startWorld((_request, response) => {
      if (world.requests.length === 3) response.end(`${event('ADDED', 'a', '5')}\n`);
      else response.destroy();
    });
    const delays: number[] = [];

    const options = {
      resourceVersion: '3',
      signal: stopping.signal,
      random: () => 1,
      clock: { now: () => 0, wait: async () => {} },
      onFailure: (_error: Error, delayMs: number) => {
        delays.push(delayMs);
        if (delays.length === 4) stopping.abort();
      },
    };
    await collect(follow(world.machines, options));

    expect(delays).toEqual([500, 1000, 500, 1000]);
  });

  it('begins with all objects when it is not told where to begin', async () => {
    const stopping = new AbortController();
    await using world = await startWorld((_request, response) => {
      const end = { metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } } };
      const lines = [event('ADDED', 'a', '5'), JSON.stringify({ type: 'BOOKMARK', object: end })];
      if (world.requests.length === 1) response.end(`${lines.join('\n')}\n`);
      else response.write(`${event('ADDED', 'b', '8')}\n`);
    });

    const seen: string[] = [];
    for await (const events of follow(world.machines, { signal: stopping.signal })) {
      seen.push(...events.map(({ type }) => type));
      if (seen.length === 3) stopping.abort();
    }

    expect(seen).toEqual(['ADDED', 'BOOKMARK', 'ADDED']);
    expect(world.requests.map(({ query }) => [query.get('sendInitialEvents'), query.get('resourceVersion')])).toEqual([
      ['true', null],
      [null, '7'],
    ]);
  });

  it.each([
    [422, 'Invalid'],
    [500, 'InternalError'],
  ])('lists them where the server answers such a watch with %d, and goes on after the list', async (code, reason) => {
    const stopping = new AbortController();
    await using world = await startWorld(({ query }, response) => {
      if (query.has('sendInitialEvents')) {
        sendJson(response, code, { apiVersion: 'v1', kind: 'Status', metadata: {}, reason, code });
      } else if (query.has('watch')) response.write(`${event('ADDED', 'c', '8')}\n`);
      else if (query.has('continue')) sendJson(response, 200, listOf('b', {}));
      else sendJson(response, 200, listOf('a', { continue: 'more' }));
    });
    const fieldSelector = parseFieldSelector('spec.host=h1');

    const seen: string[] = [];
    for await (const events of follow(world.machines, { fieldSelector, signal: stopping.signal })) {
      seen.push(...events.map((each) => (each.type === 'BOOKMARK' ? 'all' : nameIn(each))));
      if (seen.length === 4) stopping.abort();
    }

    expect(seen).toEqual(['a', 'b', 'all', 'c']);
    expect(world.requests.map(({ query }) => [query.get('watch'), query.get('resourceVersion')])).toEqual([
      ['true', null],
      [null, null],
      [null, null],
      ['true', '7'],
    ]);
    expect(new Set(world.requests.map(({ query }) => query.get('fieldSelector')))).toEqual(new Set(['spec.host=h1']));
  });

  it('throws when not all of these came', async () => {
    await using world = await startWorld((_request, response) => void response.end(`${event('ADDED', 'a', '5')}\n`));

    await expect(collect(follow(world.machines, {}))).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('does not storm a server that ends watches at once', async () => {
    const stopping = new AbortController();
    await using world = await startWorld((_request, response) => void response.end());
    const delays: number[] = [];

    const options = {
      resourceVersion: '3',
      signal: stopping.signal,
      random: () => 1,
      clock: { now: () => 0, wait: async () => {} },
      onFailure: (_error: Error, delayMs: number) => {
        delays.push(delayMs);
        if (delays.length === 3) stopping.abort();
      },
    };
    await collect(follow(world.machines, options));

    expect(delays).toEqual([500, 1000, 2000]);
  });

  it('leaves it to the caller to list again', async () => {
    await using world = await startWorld((_request, response) => {
      sendJson(response, 410, { apiVersion: 'v1', kind: 'Status', metadata: {}, reason: 'Expired', code: 410 });
    });

    await expect(collect(follow(world.machines, { resourceVersion: '3' }))).rejects.toMatchObject({ code: 'expired' });
  });
});

async function collect(
  batches: AsyncIterable<readonly WatchEvent<Machine>[]>,
): Promise<readonly WatchEvent<Machine>[]> {
  const all: WatchEvent<Machine>[] = [];
  for await (const events of batches) all.push(...events);
  return all;
}

function machine(name: string, resourceVersion: string): Machine {
  return { apiVersion: 'example.dev/v1', kind: 'Machine', metadata: { name, resourceVersion }, spec: { cpus: 1 } };
}

function event(type: string, name: string, resourceVersion: string): string {
  return JSON.stringify({ type, object: machine(name, resourceVersion) });
}

async function startWorld(answer: Answer) {
  const server = await startFakeServer(answer);
  const client = new KubeClient({ config: server.config, userAgent: 'test/1', maxAttempts: 1 });
  return {
    machines: client.resource(machines),
    requests: server.requests,
    seen: () => server.requests.map(({ method, path, query }) => `${method} ${path}?${query.toString()}`),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function nameIn({ object }: WatchEvent<Machine>): string {
  return 'metadata' in object && 'name' in object.metadata ? object.metadata.name : '';
}

function listOf(name: string, more: object): object {
  const metadata = { resourceVersion: '7', ...more };
  return { apiVersion: 'example.dev/v1', kind: 'MachineList', metadata, items: [machine(name, '5')] };
}

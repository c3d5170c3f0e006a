import { parseLabelSelector } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { collect, event, machine, startWorld } from './fake-machines.ts';
import { sendJson } from './fake-server.ts';

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

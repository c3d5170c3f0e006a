import type { ServerResponse } from 'node:http';

import { parseFieldSelector, parseLabelSelector, type WatchEvent } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { collect, event, machine, startWorld, type Machine, type MachineWorld } from './fake-machines.ts';
import { sendJson, type Answer } from './fake-server.ts';
import { follow } from './follow.ts';
import type { KubeError } from './kube-error.ts';

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
    await using world = await startWorld((_request, response) => {
      if (world.requests.length === 3) response.end(`${event('ADDED', 'a', '5')}\n`);
      else response.destroy();
    });

    const delays = await delaysOf(world, 4);

    expect(delays).toEqual([500, 1000, 500, 1000]);
  });

  it('tells of a server that puts a watch off, and nothing of what a quick retry heals', async () => {
    const stopping = new AbortController();
    const clock = { now: () => 0, monotonic: () => 0, wait: async () => {} };
    const answer: Answer = (_request, response) => {
      if (world.requests.length === 1) response.destroy();
      else if (world.requests.length === 2) sendJson(response, 503, {}, { 'retry-after': '3600' });
      else response.write(`${event('ADDED', 'a', '5')}\n`);
    };
    await using world = await startWorld(answer, { clock, maxAttempts: 5 });
    const told: unknown[] = [];

    const { signal } = stopping;
    const onFailure = ({ code }: KubeError, delayMs: number): void => void told.push([code, delayMs]);
    const onReady = (): void => void told.push('ready');
    const watching = follow(world.machines, { resourceVersion: '3', signal, clock, onFailure, onReady });
    for await (const _events of watching) stopping.abort();

    expect(told).toEqual([['server', 30_000], 'ready']);
  });

  it('tells of a server that puts off the list of what a watch begins with', async () => {
    const stopping = new AbortController();
    const clock = { now: () => 0, monotonic: () => 0, wait: async () => {} };
    const answer: Answer = ({ query }, response) => {
      if (query.has('watch')) refuse(response, 422, 'Invalid');
      else if (world.requests.length === 2) sendJson(response, 429, {}, { 'retry-after': '3600' });
      else sendJson(response, 200, listOf('a', {}));
    };
    await using world = await startWorld(answer, { clock, maxAttempts: 5 });
    const told: unknown[] = [];

    const { signal } = stopping;
    const onFailure = ({ code }: KubeError, delayMs: number): void => void told.push([code, delayMs]);
    for await (const _events of follow(world.machines, { signal, clock, onFailure })) stopping.abort();

    expect(told).toEqual([['too-many-requests', 30_000]]);
  });

  it('begins with all objects when it is not told where to begin, and tells whenever a watch is there or has ended', async () => {
    const stopping = new AbortController();
    await using world = await startWorld((_request, response) => {
      const end = { metadata: { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } } };
      const lines = [event('ADDED', 'a', '5'), JSON.stringify({ type: 'BOOKMARK', object: end })];
      if (world.requests.length === 1) response.end(`${lines.join('\n')}\n`);
      else if (world.requests.length === 2) response.destroy();
      else response.write(`${event('MODIFIED', 'a', '8')}\n`);
    });
    const told: string[] = [];

    const { signal } = stopping;
    const clock = { now: () => 0, monotonic: () => 0, wait: async () => {} };
    const onFailure = (): void => void told.push('failed');
    for await (const events of follow(world.machines, {
      signal,
      clock,
      onFailure,
      onReady: () => told.push('ready'),
      onEnd: () => told.push('ended'),
    })) {
      told.push(...events.map(({ type }) => type));
      if (told.includes('MODIFIED')) stopping.abort();
    }

    expect(told).toEqual(['ADDED', 'BOOKMARK', 'ready', 'ended', 'failed', 'ready', 'MODIFIED']);
    expect(world.requests.map(({ query }) => [query.get('sendInitialEvents'), query.get('resourceVersion')])).toEqual([
      ['true', null],
      [null, '7'],
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
      [null, '0'],
      [null, null],
      ['true', '7'],
    ]);
    expect(new Set(world.requests.map(({ query }) => query.get('fieldSelector')))).toEqual(new Set(['spec.host=h1']));
  });

  it.each([
    { what: 'all', options: {}, from: null },
    { what: 'one by its name', options: { fieldSelector: parseFieldSelector('metadata.name=a') }, from: null },
    { what: 'all but one', options: { fieldSelector: parseFieldSelector('metadata.name!=a') }, from: '0' },
    { what: 'those with a label', options: { labelSelector: parseLabelSelector('host=h1') }, from: '0' },
  ])('lists $what from where the server has it cheapest', async ({ options, from }) => {
    const stopping = new AbortController();
    await using world = await startWorld(({ query }, response) => {
      if (!query.has('watch')) sendJson(response, 200, listOf('a', {}));
      else sendJson(response, 422, { apiVersion: 'v1', kind: 'Status', metadata: {}, reason: 'Invalid', code: 422 });
    });

    for await (const _events of follow(world.machines, { ...options, signal: stopping.signal })) stopping.abort();

    expect(world.requests.at(-1)?.query.get('resourceVersion')).toBe(from);
  });

  it('lists nothing older than what was seen before, and tells what it has seen', async () => {
    const stopping = new AbortController();
    await using world = await startWorld(({ query }, response) => {
      if (query.has('sendInitialEvents')) refuse(response, 422, 'Invalid');
      else if (query.has('watch')) response.write(`${event('BOOKMARK', '', '9')}\n`);
      else sendJson(response, 200, listOf('a', {}));
    });
    const seen: string[] = [];
    const onSeen = (version: string): void => {
      if (seen.push(version) === 2) stopping.abort();
    };

    const labelSelector = parseLabelSelector('host=h1');
    await collect(follow(world.machines, { labelSelector, notOlderThan: '5', onSeen, signal: stopping.signal }));

    expect(versionsOf(world)).toEqual([
      [null, 'NotOlderThan'],
      ['5', 'NotOlderThan'],
      ['7', null],
    ]);
    expect(seen).toEqual(['7', '9']);
  });

  it.each([
    { code: 410, reason: 'Expired', causes: [] },
    { code: 504, reason: 'Timeout', causes: [{ reason: 'ResourceVersionTooLarge' }] },
  ])('lists what there is where a server answers that with $code $reason', async ({ code, reason, causes }) => {
    const stopping = new AbortController();
    await using world = await startWorld(({ query }, response) => {
      if (query.has('watch')) refuse(response, 422, 'Invalid');
      else if (query.has('resourceVersion')) refuse(response, code, reason, causes);
      else sendJson(response, 200, listOf('a', {}));
    });
    const onSeen = (): void => stopping.abort();

    const labelSelector = parseLabelSelector('host=h1');
    await collect(follow(world.machines, { labelSelector, notOlderThan: '5', onSeen, signal: stopping.signal }));

    expect(versionsOf(world)).toEqual([
      [null, 'NotOlderThan'],
      ['5', 'NotOlderThan'],
      [null, null],
    ]);
  });

  it('throws when not all of these came', async () => {
    await using world = await startWorld((_request, response) => void response.end(`${event('ADDED', 'a', '5')}\n`));

    await expect(collect(follow(world.machines, {}))).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('does not storm a server that ends watches at once', async () => {
    await using world = await startWorld((_request, response) => void response.end());

    const delays = await delaysOf(world, 3);

    expect(delays).toEqual([500, 1000, 2000]);
  });

  it('leaves it to the caller to list again', async () => {
    await using world = await startWorld((_request, response) => {
      sendJson(response, 410, { apiVersion: 'v1', kind: 'Status', metadata: {}, reason: 'Expired', code: 410 });
    });

    await expect(collect(follow(world.machines, { resourceVersion: '3' }))).rejects.toMatchObject({ code: 'expired' });
  });
});

/** How long is waited after each failure, until there were so many. */
async function delaysOf({ machines }: Pick<MachineWorld, 'machines'>, count: number): Promise<readonly number[]> {
  const stopping = new AbortController();
  const delays: number[] = [];
  const options = {
    resourceVersion: '3',
    signal: stopping.signal,
    random: () => 1,
    clock: { now: () => 0, monotonic: () => 0, wait: async () => {} },
    onFailure: (_error: Error, delayMs: number) => {
      delays.push(delayMs);
      if (delays.length === count) stopping.abort();
    },
  };
  await collect(follow(machines, options));
  return delays;
}

function versionsOf({ requests }: Pick<MachineWorld, 'requests'>): readonly (readonly (string | null)[])[] {
  return requests.map(({ query }) => [query.get('resourceVersion'), query.get('resourceVersionMatch')]);
}

function refuse(response: ServerResponse, code: number, reason: string, causes: readonly object[] = []): void {
  sendJson(response, code, { apiVersion: 'v1', kind: 'Status', metadata: {}, reason, code, details: { causes } });
}

function nameIn({ object }: WatchEvent<Machine>): string {
  return 'metadata' in object && 'name' in object.metadata ? object.metadata.name : '';
}

function listOf(name: string, more: object): object {
  const metadata = { resourceVersion: '7', ...more };
  return { apiVersion: 'example.dev/v1', kind: 'MachineList', metadata, items: [machine(name, '5')] };
}

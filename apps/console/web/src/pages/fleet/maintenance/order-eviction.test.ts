import type { Eviction } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { ApiClient } from '../../../api/api-client.ts';
import { orderEviction } from './order-eviction.ts';

const OVER = {
  conditions: [{ type: 'Evicting', status: 'False', reason: 'Succeeded', message: '', lastTransitionTime: '' }],
} as const;

it('makes one of the name of the host, as the command does', async () => {
  const world = makeWorld();

  await orderEviction(world.api, 'hv1', 'new memory');

  expect(world.evictions).toMatchObject([
    { metadata: { name: 'hv1' }, spec: { hypervisor: 'hv1', reason: 'new memory' } },
  ]);
});

it('follows one that is under way instead of making another', async () => {
  const world = makeWorld();

  await orderEviction(world.api, 'hv1', 'first');
  await orderEviction(world.api, 'hv1', 'second');

  expect(world.evictions.map(({ spec }) => spec?.reason)).toEqual(['first']);
});

it.each<[string, Partial<Eviction>, string]>([
  ['is over', { status: OVER }, 'Clear it away first'],
  ['is going', { metadata: { name: 'hv1', deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'is being taken back'],
  ['is of another host', { spec: { hypervisor: 'hv2', reason: '' } }, 'is of another host'],
])('says what to do when there is one that %s', async (_, fields, words) => {
  const world = makeWorld({ ...EVICTION, ...fields });

  await expect(orderEviction(world.api, 'hv1', 'x')).rejects.toThrow(words);
});

it('passes on why the server does not take it', async () => {
  const api = apiOf(() => json(403, { message: 'you may not' }));

  await expect(orderEviction(api, 'hv1', 'x')).rejects.toThrow('you may not');
});

const EVICTION: Eviction = {
  apiVersion: 'kvm.cloud.sap/v1',
  kind: 'Eviction',
  metadata: { name: 'hv1' },
  spec: { hypervisor: 'hv1', reason: 'x' },
};

/** A server that keeps evictions by name, and makes a name where it is asked to. */
function makeWorld(...known: readonly Eviction[]): { readonly api: ApiClient; readonly evictions: Eviction[] } {
  const evictions = [...known];
  const api = apiOf((url, body) => {
    if (body === undefined) return json(200, evictions.find(({ metadata }) => url.endsWith(`/${metadata.name}`)) ?? {});
    const draft: Eviction = JSON.parse(body);
    const made = { ...draft, metadata: { ...draft.metadata, name: draft.metadata.name ?? `made-${evictions.length}` } };
    if (evictions.some(({ metadata }) => metadata.name === made.metadata.name)) return json(409, { message: 'exists' });
    evictions.push(made);
    return json(201, made);
  });
  return { api, evictions };
}

function apiOf(answer: (url: string, body: string | undefined) => Response): ApiClient {
  return new ApiClient({
    fetch: async (url, init) =>
      answer(typeof url === 'string' ? url : '', typeof init?.body === 'string' ? init.body : undefined),
    onUnauthorized: () => undefined,
  });
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

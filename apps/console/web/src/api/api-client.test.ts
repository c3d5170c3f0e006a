import { virtualMachineKind } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { ApiClient } from './api-client.ts';

const MACHINE = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'web', namespace: 'shop' } };

it('has the server check without keeping anything', async () => {
  const world = makeWorld(() => json(201, MACHINE));

  await world.api.create(virtualMachineKind, MACHINE, { namespace: 'shop', isDryRun: true });

  expect(world.calls).toEqual([
    'POST /apis/kubevirt.io/v1/namespaces/shop/virtualmachines?fieldManager=smalt-console&dryRun=All application/json',
  ]);
});

it('applies as its own field manager', async () => {
  const world = makeWorld(() => json(200, MACHINE));

  await world.api.apply(virtualMachineKind, { namespace: 'shop', name: 'web' }, MACHINE);

  expect(world.calls).toEqual([
    'PATCH /apis/kubevirt.io/v1/namespaces/shop/virtualmachines/web?fieldManager=smalt-console&force=true application/apply-patch+yaml',
  ]);
});

it('shows in each call that a script of the page makes it', async () => {
  const headers: unknown[] = [];
  const api = new ApiClient({
    fetch: (_url, init) => {
      headers.push(init?.headers);
      return Promise.resolve(json(200, MACHINE));
    },
    onUnauthorized: () => undefined,
  });

  await api.get(virtualMachineKind, { namespace: 'shop', name: 'web' });

  expect(headers).toEqual([{ accept: 'application/json', 'x-smalt-console': '1' }]);
});

it('has the session looked at when a call is refused for it', async () => {
  const world = makeWorld(() => json(401, { message: 'sign in' }));

  await expect(world.api.call('GET', '/version')).rejects.toMatchObject({ code: 'signed-out', message: 'sign in' });
  expect(world.unauthorized()).toBe(1);
});

it('takes what /session answers for the answer, and has nothing looked at', async () => {
  const world = makeWorld(() => json(401, { message: 'sign in' }));

  await expect(world.api.call('GET', '/session')).rejects.toMatchObject({ code: 'signed-out' });
  await expect(world.api.call('POST', '/session', { body: {} })).rejects.toMatchObject({ code: 'signed-out' });
  expect(world.unauthorized()).toBe(0);
});

it('says in words that the console is away', async () => {
  const world = makeWorld(() => {
    throw new TypeError('fetch failed');
  });

  await expect(world.api.call('GET', '/version')).rejects.toMatchObject({ code: 'unreachable', status: 0 });
});

it('does not take another kind for the one that was asked for', async () => {
  const world = makeWorld(() => json(200, { ...MACHINE, kind: 'Pod' }));

  await expect(world.api.get(virtualMachineKind, { namespace: 'shop', name: 'web' })).rejects.toMatchObject({
    code: 'failed',
  });
});

it('resolves to nothing for an answer without JSON', async () => {
  const world = makeWorld(() => new Response('', { status: 202 }));

  expect(await world.api.call('PUT', '/apis/x')).toBeUndefined();
});

function makeWorld(answer: () => Response): {
  readonly api: ApiClient;
  readonly calls: string[];
  readonly unauthorized: () => number;
} {
  const calls: string[] = [];
  let unauthorized = 0;
  const api = new ApiClient({
    fetch: async (url, init) => {
      const type = new Headers(init?.headers).get('content-type');
      calls.push(`${init?.method ?? ''} ${typeof url === 'string' ? url : ''}${type === null ? '' : ` ${type}`}`);
      return answer();
    },
    onUnauthorized: () => (unauthorized += 1),
  });
  return { api, calls, unauthorized: () => unauthorized };
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

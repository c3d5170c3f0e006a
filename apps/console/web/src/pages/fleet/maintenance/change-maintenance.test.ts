import { expect, it } from 'vitest';

import { ApiClient } from '../../../api/api-client.ts';
import { changeMaintenance } from './change-maintenance.ts';

const BEGIN = { host: 'hv1', from: '', to: 'manual', reason: 'new disks' } as const;

it('sets maintenance with its reason, also when others write the host meanwhile', async () => {
  const world = makeWorld({ maintenance: '' }, { label: 'changed' });

  await changeMaintenance(world.api, BEGIN);

  expect(world.spec()).toEqual({ maintenance: 'manual', maintenanceReason: 'new disks', label: 'changed' });
  expect(world.calls).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
});

it.each([
  ['ha', 'the HA service holds it'],
  ['termination', 'its node is being removed'],
  ['other', 'its maintenance is "other"'],
])('leaves the host alone when it has come to be in %s in between', async (maintenance, words) => {
  const world = makeWorld({}, { maintenance });

  const change = changeMaintenance(world.api, BEGIN);

  await expect(change).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(words) });
  expect(world.spec()).toEqual({ maintenance });
});

it('does not end what a stale page takes for maintenance by hand', async () => {
  const world = makeWorld({ maintenance: 'ha' });

  const change = changeMaintenance(world.api, { host: 'hv1', from: 'manual', to: '', reason: '' });

  await expect(change).rejects.toThrow('It has changed meanwhile: the HA service holds it');
  expect(world.calls).toEqual(['GET']);
});

it('gives up when it loses every time', async () => {
  const calls: string[] = [];
  const api = apiOf((method) => {
    calls.push(method);
    return method === 'GET' ? json(200, host({}, 1)) : json(409, { message: 'the object has been modified' });
  });

  await expect(changeMaintenance(api, BEGIN)).rejects.toThrow('the object has been modified');
  expect(calls).toHaveLength(20);
});

/** One host, which the server keeps by its version. `meanwhile` is written by somebody else after the first look. */
function makeWorld(
  first: object,
  meanwhile?: object,
): { readonly api: ApiClient; readonly calls: string[]; readonly spec: () => object } {
  const calls: string[] = [];
  let [spec, version] = [first, 1];
  const api = apiOf((method, body) => {
    calls.push(method);
    const answer = host(spec, version);
    if (method === 'GET') {
      if (calls.length === 1 && meanwhile !== undefined) [spec, version] = [{ ...spec, ...meanwhile }, version + 1];
      return json(200, answer);
    }
    if (body.metadata?.resourceVersion !== undefined && body.metadata.resourceVersion !== String(version)) {
      return json(409, { message: 'the object has been modified' });
    }
    [spec, version] = [{ ...spec, ...body.spec }, version + 1];
    return json(200, host(spec, version));
  });
  return { api, calls, spec: () => spec };
}

interface Patch {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly spec?: object;
}

function apiOf(answer: (method: string, body: Patch) => Response): ApiClient {
  return new ApiClient({
    fetch: async (_url, init) => {
      const body: Patch = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
      return answer(init?.method ?? '', body);
    },
    onUnauthorized: () => undefined,
  });
}

function host(spec: object, version: number): object {
  const metadata = { name: 'hv1', resourceVersion: String(version) };
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata, spec };
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

import { expect, it } from 'vitest';

import { ApiClient } from '../../../api/api-client.ts';
import { running } from '../fixtures/machines.ts';
import { runMachineAction } from './run-machine-action.ts';

const LIST = '/apis/kubevirt.io/v1/namespaces/shop/virtualmachineinstancemigrations';

it('cancels what is under way, whatever the instance says of an earlier migration', async () => {
  const world = makeWorld([
    migration('old', 'web', 'Succeeded'),
    migration('other', 'db', 'Running'),
    migration('new', 'web', undefined),
  ]);

  await runMachineAction(world.api, 'cancelMigration', running('web', { migrationState: { migrationUid: 'old' } }));

  expect(world.calls).toEqual([`GET ${LIST}`, `DELETE ${LIST}/new?fieldManager=smalt-console`]);
});

it.each([
  ['none is there', []],
  ['all are over', [migration('a', 'web', 'Failed'), migration('b', 'web', 'Succeeded')]],
  ['only others move', [migration('a', 'db', 'Running')]],
  ['the answer is no list', [null, 7, {}]],
])('says that there was nothing to cancel when %s', async (_, items) => {
  const world = makeWorld(items);

  const cancelled = runMachineAction(world.api, 'cancelMigration', running('web'));

  await expect(cancelled).rejects.toMatchObject({
    code: 'not-found',
    message: 'No migration of web is under way any more, so there is nothing to cancel.',
  });
  expect(world.calls).toEqual([`GET ${LIST}`]);
});

function makeWorld(items: readonly unknown[]): { readonly api: ApiClient; readonly calls: string[] } {
  const calls: string[] = [];
  const api = new ApiClient({
    fetch: async (url, init) => {
      calls.push(`${init?.method ?? ''} ${typeof url === 'string' ? url : ''}`);
      return new Response(JSON.stringify({ items }), { headers: { 'content-type': 'application/json' } });
    },
    onUnauthorized: () => undefined,
  });
  return { api, calls };
}

function migration(name: string, vmiName: string, phase: string | undefined): object {
  return { metadata: { name, uid: name }, spec: { vmiName }, status: { phase } };
}

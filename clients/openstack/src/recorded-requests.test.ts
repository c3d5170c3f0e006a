import { describe, expect, it } from 'vitest';

import { isLogin, isVersionRequest, sendJson, startFakeCloud } from './fake-cloud.ts';
import type { OpenStackClient } from './openstack-client.ts';
import type { OpenStackErrorCode } from './openstack-error.ts';
import { askedRequest, recordedRequest, recording, replay } from './recorded-cloud.ts';

// What a real Nova and Placement were asked, and refused.

const server = '28174e99-2db5-4fa4-99f2-a76a959f5c0c';
const orphan = 'ae83d19c-e8d0-4a6d-ab7d-eeb5def00830';
const consumer = '11111111-2222-3333-4444-001794715008';
const serviceC = '3cee95ac-72b8-48e1-a8d7-66a480272ce5';

describe('a recorded request is made', () => {
  it.each<[string, (client: OpenStackClient) => Promise<unknown>]>([
    ['services-20-delete-204', ({ compute }) => compute.services.delete(serviceC)],
    ['servers-16-delete-204', ({ compute }) => compute.servers.delete('440212bf-858a-4283-b63f-f7b54495c862')],
    [
      'metadata-04-delete-one-204',
      ({ compute }) => compute.servers.deleteMetadata('e6848a57-01e2-48d3-98d7-184c29ebd201', 'ha_priority'),
    ],
    ['livemigration-01-start-202', ({ compute }) => compute.actions.liveMigrate(server)],
    ['livemigration-08-to-host', ({ compute }) => compute.actions.liveMigrate(server, { host: 'nodeA' })],
    ['livemigration-09-abort-202', ({ compute }) => compute.migrations.abort(server, 2)],
    ['livemigration-11-force-complete-202', ({ compute }) => compute.migrations.forceComplete(server, 3)],
    [
      'coldmigration-03-confirm-204',
      ({ compute }) => compute.actions.confirmResize('f778cbcb-3fef-4638-b28c-4b2235cbfeff'),
    ],
    ['evacuate-15-2.93', ({ compute }) => compute.actions.evacuate('4ae66f4f-521b-4b52-852f-c12940b16a24')],
    ['actions-02-stop', ({ compute }) => compute.actions.stop('9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd')],
    ['actions-04-start', ({ compute }) => compute.actions.start('9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd')],
    [
      'actions-05-reset-state-error',
      ({ compute }) => compute.actions.resetState('9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd', 'error'),
    ],
    [
      'actions-06-lock',
      ({ compute }) => compute.actions.lock('9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd', { reason: 'operator' }),
    ],
    ['actions-07-unlock', ({ compute }) => compute.actions.unlock('9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd')],
    ['actions-08-hard-reboot', ({ compute }) => compute.actions.reboot('9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd', 'hard')],
    ['aggregates-16-delete-200', ({ compute }) => compute.aggregates.delete(2)],
    ['placement-08-trait-create-201', ({ placement }) => placement.providers.createTrait('CUSTOM_HA_SEGMENT_1')],
    ['placement-26-allocation-delete-204', ({ placement }) => placement.allocations.delete(consumer)],
    ['placement-28-provider-delete-204', ({ placement }) => placement.providers.delete(orphan)],
  ])('as %s', async (name, act) => {
    await using cloud = await replay(name);

    await act(cloud.client);

    expect(askedRequest(cloud)).toEqual(await recordedRequest(name));
  });
});

describe('a recorded refusal has its code', () => {
  it.each<[string, OpenStackErrorCode, string]>([
    ['auth-16-nova-forbidden-403', 'forbidden', 'os_compute_api:os-services:list'],
    ['auth-17-placement-forbidden-403', 'forbidden', 'placement:resource_providers:list'],
    ['auth-21-nova-expired-token-401', 'unauthorized', 'requires authentication'],
    ['nova-02-unknown-version-300', 'bad-answer', 'v2.1'],
    ['mv-02-too-new-406', 'microversion', 'Minimum is 2.1 and maximum is 2.93'],
    ['mv-05-placement-too-new-406', 'microversion', 'Unacceptable version header'],
    ['services-19-delete-with-servers-409', 'conflict', 'hosting instances'],
    ['services-08-enable-with-reason-400', 'bad-request', 'disabled_reason'],
    ['servers-15-missing-404', 'not-found', 'could not be found'],
    ['hypervisors-15-detail-2.88-just-after-host-death-500', 'server', 'Unexpected API Error'],
    ['livemigration-02-while-migrating-409', 'conflict', 'task_state migrating'],
    ['evacuate-01-host-still-up-400', 'bad-request', 'still in use'],
    ['actions-03-stop-stopped-409', 'conflict', 'vm_state stopped'],
    ['aggregates-04-add-host-again-409', 'conflict', 'already has host'],
    ['placement-13-traits-stale-generation-409', 'concurrent-update', 'generation already changed'],
    ['placement-20-provider-delete-in-use-409', 'in-use', 'has allocations'],
    ['placement-24-allocation-over-capacity-409', 'conflict', 'exceed the capacity'],
    ['placement-25-inventory-delete-in-use-409', 'in-use', 'in use'],
    ['placement-27-allocation-delete-missing-404', 'not-found', 'No allocations'],
    ['errors-01-body-too-large-413', 'too-large', 'Request is too large'],
    ['errors-02-malformed-json-400', 'bad-request', 'Malformed request body'],
    ['errors-03-unknown-method-404', 'bad-request', 'could not be found'],
    ['errors-05-over-quota-403', 'quota', 'Quota exceeded for instances'],
  ])('in %s', async (name, code, words) => {
    const { response } = await recording(name);
    await using cloud = await replay(name);

    const asking = cloud.client.compute.servers.get('x');

    await expect(asking).rejects.toMatchObject({
      name: 'OpenStackError',
      code,
      httpStatus: response.status,
      message: expect.stringMatching(new RegExp(`^compute: GET /servers/\\{server\\}: .*${escape(words)}`)),
      requestId: response.headers['X-Openstack-Request-Id'] ?? 'req-fake',
    });
  });
});

it('finds no hypervisor where Nova says that none matches', async () => {
  await using cloud = await replay('hypervisors-08-pattern-no-match-404');

  expect(await cloud.client.compute.hypervisors.findByHostname('zzz')).toBeUndefined();
});

it('follows the links of recorded pages to their end', async () => {
  const pages = ['paging-01-first', 'paging-02-second', 'paging-03-past-end'];
  const answers = await Promise.all(pages.map((page) => recording(page)));
  await using cloud = await startFakeCloud((request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    const answer = answers.shift();
    return sendJson(response, answer?.response.status ?? 500, answer?.response.body);
  });

  const servers = await cloud.client.compute.servers.listNames({ isAllProjects: true }, { pageSize: 3 }).all();

  expect(servers.map(({ name }) => name)).toEqual(['g2', 'g1', 'pinned', 'zoned', 'forced', 'b0']);
  expect(cloud.requests.map(({ path, query }) => [path, query.get('marker')])).toEqual([
    ['/v2.1/servers', null],
    ['/v2.1/servers', '28174e99-2db5-4fa4-99f2-a76a959f5c0c'],
    ['/v2.1/servers', '9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd'],
  ]);
});

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

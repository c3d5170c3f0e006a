import { expect, it } from 'vitest';

import { newServerRequest } from './compute/new-server.ts';
import { isLogin, isVersionRequest, sendJson, startFakeCloud, type CloudAnswer } from './fake-cloud.ts';

// There is no recording of a Cinder, and no bed has one: the answers are written by hand.

const volume = {
  id: 'v1',
  name: 'smoke',
  status: 'available',
  size: 4,
  volume_type: 'fast',
  bootable: 'true',
  attachments: [{ server_id: 's1', device: '/dev/vda' }],
  created_at: '2026-11-15T03:55:44.158389',
  encrypted: false,
};

it('makes a volume of an image', async () => {
  await using cloud = await startFakeCloud(answering(202, { volume }));

  const made = await cloud.client.volumes.create({ name: 'smoke', sizeGiB: 4, imageId: 'i1', type: 'fast' });

  expect(made).toEqual({
    id: 'v1',
    name: 'smoke',
    status: 'available',
    sizeGiB: 4,
    type: 'fast',
    availabilityZone: undefined,
    isBootable: true,
    serverIds: ['s1'],
    createdAt: '2026-11-15T03:55:44.158Z',
  });
  expect(cloud.requests.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ['POST', '/v3/p1/volumes', { volume: { name: 'smoke', size: 4, imageRef: 'i1', volume_type: 'fast' } }],
  ]);
});

it('lists, reads and deletes volumes, and lists their types', async () => {
  await using cloud = await startFakeCloud((request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    const types = [{ id: 't1', name: 'fast', is_public: false }];
    return sendJson(response, 200, { volumes: [volume], volume, volume_types: types });
  });
  const { volumes } = cloud.client;

  expect(await volumes.list({ name: 'smoke', isAllProjects: true }).all()).toMatchObject([{ id: 'v1' }]);
  expect(await volumes.get('v1')).toMatchObject({ sizeGiB: 4 });
  await volumes.delete('v1');
  expect(await volumes.types().all()).toEqual([{ id: 't1', name: 'fast', isPublic: false }]);
  expect(cloud.requests.map(({ method, path, query }) => `${method} ${path}?${query.toString()}`)).toEqual([
    'GET /v3/p1/volumes/detail?name=smoke&all_tenants=1',
    'GET /v3/p1/volumes/v1?',
    'DELETE /v3/p1/volumes/v1?',
    'GET /v3/p1/types?',
  ]);
});

it('calls it a quota when the project has no volume left, and does not try again', async () => {
  const body = {
    overLimit: { code: 413, message: 'Maximum number of volumes allowed (10) exceeded', retryAfter: '0' },
  };
  await using cloud = await startFakeCloud(answering(413, body, { 'retry-after': '0' }));

  const making = cloud.client.volumes.create({ name: 'smoke', sizeGiB: 4 });

  await expect(making).rejects.toMatchObject({ code: 'quota', message: expect.stringContaining('allowed (10)') });
  expect(cloud.requests).toHaveLength(1);
});

it.each([
  ['OverQuota', 'quota'],
  ['NetworkInUse', 'in-use'],
  ['IpAddressAlreadyAllocated', 'conflict'],
])('calls the conflict %s of Neutron %s', async (type, code) => {
  await using cloud = await startFakeCloud(answering(409, { NeutronError: { type, message: 'no', detail: '' } }));

  await expect(cloud.client.networks.get('n1')).rejects.toMatchObject({ code });
});

it.each([
  [
    { kind: 'new-volume', imageId: 'i1', sizeGiB: 4, type: 'fast', bus: 'virtio' } as const,
    {
      source_type: 'image',
      uuid: 'i1',
      destination_type: 'volume',
      volume_size: 4,
      volume_type: 'fast',
      disk_bus: 'virtio',
    },
  ],
  [{ kind: 'volume', volumeId: 'v1' } as const, { source_type: 'volume', uuid: 'v1', destination_type: 'volume' }],
])('boots a server from %o', (boot, device) => {
  const request = newServerRequest({ name: 'smoke', flavorId: '1', boot, networkIds: ['n1'], userData: 'hi' });

  expect(request).toMatchObject({
    server: {
      imageRef: '',
      networks: [{ uuid: 'n1' }],
      user_data: 'aGk=',
      block_device_mapping_v2: [{ boot_index: 0, ...device }],
    },
  });
});

function answering(status: number, body: unknown, headers: Record<string, string> = {}): CloudAnswer {
  return (request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    return sendJson(response, status, body, headers);
  };
}

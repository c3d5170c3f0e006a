import { describe, expect, it } from 'vitest';

import type { OpenStackClient } from './openstack-client.ts';
import { askedRequest, recordedRequest, replay } from './recorded-cloud.ts';

// What a real Nova and Placement answered.

const server = '28174e99-2db5-4fa4-99f2-a76a959f5c0c';
const nodeA = 'b498eb94-33ef-4106-8d98-3755be39db87';
const serviceC = '3cee95ac-72b8-48e1-a8d7-66a480272ce5';

describe('a recorded answer is read', () => {
  it.each<[string, (client: OpenStackClient) => Promise<unknown>, unknown]>([
    [
      'services-03-list-one-host',
      ({ compute }) => compute.services.findCompute('nodeA'),
      { host: 'nodeA', binary: 'nova-compute', status: 'enabled', state: 'up', isForcedDown: false },
    ],
    [
      'services-12-disable-and-force-down-together',
      ({ compute }) => compute.services.update(serviceC, { status: 'disabled', isForcedDown: true }),
      { status: 'disabled', state: 'down', isForcedDown: true, updatedAt: '2026-11-15T03:55:43.961Z' },
    ],
    [
      'services-04-disable-with-reason',
      ({ compute }) =>
        compute.services.update(serviceC, { status: 'disabled', disabledReason: 'maintenance: kernel update' }),
      { status: 'disabled', disabledReason: 'maintenance: kernel update' },
    ],
    [
      'hypervisors-01-list-2.93',
      ({ compute }) => compute.hypervisors.list().all(),
      [{ hostname: 'nodeB' }, { id: nodeA, hostname: 'nodeA', state: 'up', status: 'enabled' }, { hostname: 'nodeC' }],
    ],
    [
      'hypervisors-03-detail-2.53',
      ({ compute }) => compute.hypervisors.listDetails().find(({ hostname }) => hostname === 'nodeA'),
      { id: nodeA, serviceHost: 'nodeA', vcpus: 16, memoryMiB: 65536, diskUsedGiB: 3, runningServers: 3 },
    ],
    [
      'libvirt-01-hypervisors-detail-2.87',
      ({ compute }) => compute.hypervisors.listDetails().find(() => true),
      { type: 'QEMU', version: 7002022, hostname: 'nodeA' },
    ],
    [
      'servers-11-detail-by-host',
      ({ compute }) => compute.servers.list({ host: 'nodeA' }).find(({ id }) => id === server),
      { name: 'pinned', status: 'ACTIVE', host: 'nodeA', hypervisorHostname: 'nodeA', isLocked: false },
    ],
    [
      'servers-10-show',
      ({ compute }) => compute.servers.get('e6848a57-01e2-48d3-98d7-184c29ebd201'),
      {
        id: 'e6848a57-01e2-48d3-98d7-184c29ebd201',
        hostStatus: 'UP',
        imageId: undefined,
        metadata: { HA_Enabled: 'true' },
        flavor: { name: 'm1.tiny', vcpus: 1, memoryMiB: 512, ephemeralGiB: 1 },
        launchedAt: '2026-11-15T03:55:55.000Z',
      },
    ],
    [
      'libvirt-06-server-show',
      ({ compute }) => compute.servers.get('88ee81f4-836f-4447-b8ef-ac89d29b1e21'),
      { name: 'real', imageId: 'a913eb71-0ced-4c6d-b5d2-eb14ef9f4003', status: 'ACTIVE' },
    ],
    [
      'evacuate-25-server-after-no-valid-host',
      ({ compute }) => compute.servers.get('7a9cd795-8956-4050-b16b-cb220d158d1d'),
      { status: 'ERROR', fault: { code: 500, message: expect.stringContaining('No valid host was found') } },
    ],
    [
      'servers-03-create-on-host-2.74',
      ({ compute }) =>
        compute.servers.create({
          name: 'pinned',
          flavorId: '1',
          boot: { kind: 'blank', sizeGiB: 1 },
          networkIds: [],
          host: 'nodeA',
          metadata: { HA_Enabled: 'true' },
        }),
      server,
    ],
    [
      'libvirt-05-server-create',
      ({ compute }) =>
        compute.servers.create({
          name: 'real',
          flavorId: '3',
          boot: { kind: 'image', imageId: 'a913eb71-0ced-4c6d-b5d2-eb14ef9f4003' },
          networkIds: [],
          host: 'nodeA',
        }),
      '88ee81f4-836f-4447-b8ef-ac89d29b1e21',
    ],
    [
      'metadata-02-merge',
      ({ compute }) => compute.servers.mergeMetadata('e6848a57-01e2-48d3-98d7-184c29ebd201', { ha_priority: '10' }),
      { HA_Enabled: 'true', ha_priority: '10' },
    ],
    [
      'livemigration-04-progress-list',
      ({ compute }) => compute.migrations.inProgress(server),
      [{ id: 1, serverId: server, status: 'running', memoryTotalBytes: 536_870_912, memoryProcessedBytes: 28_032 }],
    ],
    [
      'livemigration-05-progress-one',
      ({ compute }) => compute.migrations.progress(server, 1),
      { id: 1, sourceHost: 'nodeA', destinationHost: 'nodeB' },
    ],
    [
      'evacuate-20-migrations-done',
      ({ compute }) => compute.migrations.list({ type: 'evacuation', sourceHost: 'nodeA' }).find(() => true),
      { type: 'evacuation', sourceHost: 'nodeA' },
    ],
    [
      'actions-01-console-output',
      ({ compute }) => compute.actions.consoleOutput('e6848a57-01e2-48d3-98d7-184c29ebd201', { lines: 2 }),
      'ANOTHER\nLAST LINE',
    ],
    [
      'actions-09-instance-actions',
      ({ compute }) => compute.actions.history('9f01ccc2-2ec3-4e7b-8428-a2ddab34c2fd').find(() => true),
      {
        action: 'reboot',
        requestId: 'req-4a94eea3-5006-4b19-a684-be3ef28aebf9',
        startedAt: '2026-11-15T03:56:09.000Z',
      },
    ],
    [
      'aggregates-01-create',
      ({ compute }) => compute.aggregates.create({ name: 'rack1', availabilityZone: 'az1' }),
      { id: 1, name: 'rack1', availabilityZone: 'az1', hosts: [], metadata: {} },
    ],
    ['aggregates-03-add-host', ({ compute }) => compute.aggregates.addHost(1, 'nodeA'), undefined],
    [
      'aggregates-06-set-metadata',
      ({ compute }) => compute.aggregates.mergeMetadata(1, { ha_segment: 'seg1', drop_me: null }),
      { metadata: { availability_zone: 'az1', ha_segment: 'seg1' } },
    ],
    ['aggregates-08-list', ({ compute }) => compute.aggregates.list(), [{ name: 'rack1' }, { id: 2 }]],
    ['aggregates-09-show', ({ compute }) => compute.aggregates.get(1), { id: 1, hosts: ['nodeA', 'nodeB'] }],
    ['aggregates-14-remove-host', ({ compute }) => compute.aggregates.removeHost(2, 'nodeC'), undefined],
    [
      'placement-01-provider-by-name',
      ({ placement }) => placement.providers.list({ name: 'nodeA' }),
      [{ id: nodeA, name: 'nodeA', generation: 23, parentId: undefined, rootId: nodeA }],
    ],
    [
      'placement-15-providers-by-trait',
      ({ placement }) => placement.providers.list({ required: ['CUSTOM_HA_SEGMENT_1', '!COMPUTE_STATUS_DISABLED'] }),
      [{ name: 'nodeA' }],
    ],
    ['placement-02-provider', ({ placement }) => placement.providers.get(nodeA), { name: 'nodeA', generation: 23 }],
    [
      'placement-04-inventories',
      ({ placement }) => placement.providers.inventories(nodeA),
      { generation: 23, inventories: { MEMORY_MB: { total: 65_536, reserved: 512, allocationRatio: 1.5 } } },
    ],
    [
      'placement-05-usages',
      ({ placement }) => placement.providers.usages(nodeA),
      { generation: 23, usages: { VCPU: 4, MEMORY_MB: 2048, DISK_GB: 4 } },
    ],
    [
      'placement-06-allocations-of-provider',
      ({ placement }) => placement.providers.allocations(nodeA),
      { generation: 23, consumers: { [server]: { VCPU: 1, MEMORY_MB: 512, DISK_GB: 1 } } },
    ],
    [
      'placement-07-allocations-of-server',
      ({ placement }) => placement.allocations.get('e6848a57-01e2-48d3-98d7-184c29ebd201'),
      { providers: { [nodeA]: { VCPU: 1 } }, generation: 1, projectId: 'f11543020f0d4e13a5a46ca67748c2b4' },
    ],
    [
      'placement-11-traits-get',
      ({ placement }) => placement.providers.traits(nodeA),
      { generation: 23, traits: expect.arrayContaining(['COMPUTE_NODE']) },
    ],
    [
      'placement-16-allocation-candidates',
      ({ placement }) =>
        placement.allocations.candidates({
          resources: { VCPU: 1, MEMORY_MB: 512, DISK_GB: 1 },
          required: ['CUSTOM_HA_SEGMENT_1'],
        }),
      { providers: [{ providerId: nodeA, resources: { VCPU: { capacity: 64, used: 4 } } }], isCut: false },
    ],
  ])('from %s', async (name, act, expected) => {
    await using cloud = await replay(name);

    const result = await act(cloud.client);

    expect({ result }).toMatchObject({ result: expected });
    expect(askedRequest(cloud)).toEqual(await recordedRequest(name));
  });
});

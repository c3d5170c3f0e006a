import { canRunOpenStack } from '@smalt/local-openstack';
import { expect, it } from 'vitest';

import { CloudSession } from './fixtures/cloud-session.ts';
import { startOpenStack } from './start-openstack.ts';

it.runIf(await canRunOpenStack())(
  'moves a real guest live and evacuates it after a loss of power',
  { timeout: 360_000 },
  async () => {
    await using cloud = await startOpenStack({ computes: ['node-a', 'node-b'], driver: 'libvirt' });
    const session = await CloudSession.open(cloud);
    await using server = await session.boot({ name: 'real', host: 'node-a' });
    const booted = await cloud.compute('node-a').guests();

    await server.act({ 'os-migrateLive': { host: 'node-b', block_migration: 'auto' } });
    await server.migration('live-migration', ['completed']);
    const moved = { a: await session.guestIds('node-a'), b: await session.guestIds('node-b') };
    await cloud.compute('node-b').crash();
    await cloud.compute('node-b').expireReport();
    await session.serviceIs('node-b', 'down');
    await server.act({ evacuate: {} });
    await server.migration('evacuation', ['done']);
    await server.status('ACTIVE');
    const evacuated = await cloud.compute('node-a').guests();
    await cloud.compute('node-b').start();
    await session.serviceIs('node-b', 'up');
    await server.migration('evacuation', ['completed']);
    await server.delete();

    const guest = { id: server.id, name: 'instance-00000001', state: 'running' };
    expect(booted).toEqual([guest]);
    expect(moved).toEqual({ a: [], b: [server.id] });
    expect(evacuated).toEqual([guest]);
    expect([await session.guestIds('node-a'), await session.guestIds('node-b')]).toEqual([[], []]);
    await expect(cloud.compute('node-a').setKnobs({ spawnFails: true })).rejects.toThrow('a real host, without knobs');
  },
);

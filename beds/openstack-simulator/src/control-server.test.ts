import { loadCloudConfig, OpenStackClient } from '@smalt/openstack';
import { expect, it } from 'vitest';

import { startControlServer } from './control-server.ts';
import { openSession } from './fixtures/simulated-session.ts';
import { SimulatorProcess } from './simulator-process.ts';

it('adds hosts, aggregates and servers from outside, and tells what was asked', async () => {
  await using session = await openSession();
  await using control = await startControlServer(session.cloud);

  await tell(`${control.url}/hosts`, 'POST', [{ name: 'node1', zone: 'az1' }, { name: 'node2' }]);
  await tell(`${control.url}/aggregates`, 'POST', { name: 'tenant_filter_tests', hosts: ['node2'] });
  const servers = await tell(`${control.url}/servers`, 'POST', { host: 'node1', flavor: { vcpus: 2 } });
  await session.client.compute.aggregates.list();

  expect(session.cloud.host('node1')).toMatchObject({ zone: 'az1', serverIds: servers });
  expect(session.cloud.host('node2')).toMatchObject({ aggregates: ['tenant_filter_tests'] });
  expect(await tell(`${control.url}/calls`, 'GET')).toMatchObject({ 'compute GET /os-aggregates': 1 });
});

it.each([
  { path: '/hosts', method: 'POST', body: {}, error: /name: is missing/ },
  { path: '/behaviour', method: 'PUT', body: { speed: 1 }, error: /speed: cannot be set/ },
  { path: '/nothing', method: 'GET', body: undefined, error: /no GET .nothing/ },
])('explains what is wrong with $method $path', async ({ path, method, body, error }) => {
  await using session = await openSession();
  await using control = await startControlServer(session.cloud);

  const answer = await tell(`${control.url}${path}`, method, body);

  expect(answer).toEqual({ error: expect.stringMatching(error) });
});

it('runs as a process of its own, until it is disposed of', async () => {
  let url = '';
  {
    await using cloud = await SimulatorProcess.start({ latencyMs: 1 });
    url = cloud.environment['OS_AUTH_URL'] ?? '';
    await cloud.tell('POST', '/hosts', { name: 'node1' });
    const config = await loadCloudConfig({ environment: cloud.environment });
    await using client = new OpenStackClient({ config, userAgent: 'test/1' });

    const listed = await client.compute.hypervisors.list().all();

    expect(listed).toMatchObject([{ hostname: 'node1' }]);
    expect(await cloud.tell('GET', '/calls')).toMatchObject({ 'compute GET /os-hypervisors': 1 });
    await expect(cloud.tell('POST', '/hosts', {})).rejects.toMatchObject({ code: 'control-failed' });
  }
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

async function tell(url: string, method: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return response.json();
}

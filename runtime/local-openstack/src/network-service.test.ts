import { expect, it } from 'vitest';

import { drawLoopbackHost, pickPorts } from './configuration/cloud-address.ts';
import { NETWORK, startNetworkService } from './network-service.ts';

it('has one network, which is not shared', async () => {
  await using network = await startOne();

  expect(await network.ask('GET', '/v2.0/networks?shared=false')).toEqual({
    status: 200,
    body: { networks: [NETWORK] },
  });
  expect(await network.ask('GET', '/v2.0/networks?shared=true')).toEqual({ status: 200, body: { networks: [] } });
  expect(await network.ask('GET', '/v2.0/security-groups')).toEqual({ status: 200, body: { security_groups: [] } });
});

it('keeps ports from their creation to their deletion', async () => {
  await using network = await startOne();

  const made = await network.ask('POST', '/v2.0/ports', { port: { network_id: NETWORK.id, device_id: 'server-1' } });
  const { id } = (made.body as { port: { id: string } }).port;
  await network.ask('PUT', `/v2.0/ports/${id}`, { port: { 'binding:host_id': 'node-a' } });
  const found = await network.ask('GET', '/v2.0/ports?device_id=server-1&tenant_id=any');
  const others = await network.ask('GET', '/v2.0/ports?device_id=server-2');
  const gone = await network.ask('DELETE', `/v2.0/ports/${id}`);
  const after = await network.ask('GET', `/v2.0/ports/${id}`);

  expect(made.status).toBe(201);
  expect(found.body).toMatchObject({ ports: [{ id, 'binding:host_id': 'node-a', device_id: 'server-1' }] });
  expect(others.body).toEqual({ ports: [] });
  expect([gone.status, after.status]).toEqual([204, 404]);
});

it('refuses what it cannot read or does not know', async () => {
  await using network = await startOne();

  expect((await network.ask('POST', '/v2.0/ports')).status).toBe(400);
  expect((await network.ask('GET', '/v2.0/trunks')).status).toBe(404);
});

it('gives no address twice, and no more ports than there are addresses', async () => {
  await using network = await startOne();
  const ports: { id: string; fixed_ips: readonly { ip_address: string }[] }[] = [];
  for (let count = 0; count < 254; count += 1) {
    const { body } = await network.ask('POST', '/v2.0/ports', { port: {} });
    ports.push((body as { port: (typeof ports)[number] }).port);
  }

  const refused = await network.ask('POST', '/v2.0/ports', { port: {} });
  await network.ask('DELETE', `/v2.0/ports/${ports[6]?.id}`);
  const next = await network.ask('POST', '/v2.0/ports', { port: {} });

  expect(new Set(ports.map((each) => each.fixed_ips[0]?.ip_address)).size).toBe(254);
  expect(refused).toMatchObject({ status: 409, body: { NeutronError: { type: 'OverQuota' } } });
  expect(next.body).toMatchObject({ port: { fixed_ips: ports[6]?.fixed_ips } });
});

it('does not read on in a body without end, nor let a port grow', async () => {
  await using network = await startOne();
  const made = await network.ask('POST', '/v2.0/ports', { port: {} });
  const path = `/v2.0/ports/${(made.body as { port: { id: string } }).port.id}`;
  const half = 'x'.repeat(40_000);

  const long = await network.ask('POST', '/v2.0/ports', { port: { name: half + half } });
  const first = await network.ask('PUT', path, { port: { name: half } });
  const second = await network.ask('PUT', path, { port: { description: half } });

  expect([long.status, first.status, second.status]).toEqual([400, 200, 400]);
});

interface Served extends AsyncDisposable {
  ask(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
}

async function startOne(): Promise<Served> {
  const host = drawLoopbackHost();
  const port = await pickPorts(host, 1);
  const service = await startNetworkService(host, port);
  return {
    ask: async (method, path, body) => {
      const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const answer = await fetch(`http://${host}:${port}${path}`, init);
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: async () => service[Symbol.asyncDispose](),
  };
}

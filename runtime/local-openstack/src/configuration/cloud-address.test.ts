import { once } from 'node:events';
import { createServer } from 'node:net';

import { expect, it } from 'vitest';

import { drawLoopbackHost, endpointsOf, pickPorts } from './cloud-address.ts';

it('draws addresses of loopback other than the common one', () => {
  const drawn = Array.from({ length: 200 }, () => drawLoopbackHost());

  expect(drawn.every((host) => /^127\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.test(host) && host !== '127.0.0.1')).toBe(true);
  expect(new Set(drawn).size).toBeGreaterThan(190);
});

it('picks ports in a row that can be listened on', async () => {
  const host = drawLoopbackHost();

  const first = await pickPorts(host, 3);
  const servers = [0, 1, 2].map((index) => createServer().listen(first + index, host));
  await Promise.all(servers.map((server) => once(server, 'listening')));

  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  expect(first).toBeGreaterThanOrEqual(20_000);
});

it('knows the URL of every service', () => {
  const address = {
    host: '127.1.2.3',
    identityPort: 1,
    placementPort: 2,
    computePort: 3,
    imagePort: 4,
    networkPort: 5,
  };

  expect(endpointsOf(address)).toEqual({
    identity: 'http://127.1.2.3:1/v3',
    placement: 'http://127.1.2.3:2',
    compute: 'http://127.1.2.3:3/v2.1',
    image: 'http://127.1.2.3:4',
    network: 'http://127.1.2.3:5',
  });
});

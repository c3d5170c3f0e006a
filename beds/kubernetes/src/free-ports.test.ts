import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { expect, it } from 'vitest';

import { freePorts } from './free-ports.ts';

it('gives no port to two who look at the same time, though neither listens on it yet', async () => {
  const range = { first: 19_900, last: 19_918 };

  const found = await Promise.all(Array.from({ length: 5 }, () => freePorts(3, range)));

  expect(new Set(found.flat()).size).toBe(15);
});

it('gives no port that somebody listens on, and says when there is none', async () => {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on an address, not on a path
  const { port } = server.address() as AddressInfo;

  await expect(freePorts(1, { first: port, last: port + 1 })).rejects.toThrow('no 1 free ports');
});

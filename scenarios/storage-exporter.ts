import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { HaBed } from './ha-bed.ts';

/** What a storage system knows: for each host that has disks open, how long ago it has written to one. */
export interface StorageExporter extends AsyncDisposable {
  readonly url: string;
  isBroken: boolean;
}

/** Serves it at loopback, as `[{"host": "hv-a", "idleSeconds": 0.3}]`. */
export async function startStorageExporter({
  hosts,
  diskOf,
}: Pick<HaBed, 'hosts' | 'diskOf'>): Promise<StorageExporter> {
  const idleSeconds = async (id: string): Promise<number> => (Date.now() - (await stat(diskOf(id))).mtimeMs) / 1000;
  const answer = async (response: ServerResponse): Promise<void> => {
    if (exporter.isBroken) return void response.writeHead(503).end();
    const items = [];
    for (const { name, compute } of hosts) {
      const running = (await compute.guests()).filter(({ state }) => state === 'running');
      const idle = await Promise.all(running.map(({ id }) => idleSeconds(id)));
      if (idle.length > 0) items.push({ host: name, idleSeconds: Math.min(...idle) });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(items));
  };
  const server = createServer((_, response) => {
    answer(response).catch((error: unknown) => response.destroy(Object(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line no-unsafe-type-assertion -- a server that listens on a port has one.
  const { port } = server.address() as AddressInfo;
  const exporter = {
    url: `http://127.0.0.1:${port}/`,
    isBroken: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return exporter;
}

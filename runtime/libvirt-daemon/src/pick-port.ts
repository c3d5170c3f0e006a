import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';

import { LibvirtDaemonError } from './error.ts';

const LOWEST = 20_000;
const ATTEMPTS = 200;

/**
 * A TCP port nobody listens on at the moment. It lies below the kernel's range for outgoing connections, so that none
 * of those takes it while a daemon that was given it restarts.
 */
export async function pickPort(address: string): Promise<number> {
  const highest = await lowestOutgoingPort();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, highest);
    if (await isFree(address, port)) return port;
  }
  throw new LibvirtDaemonError('port-in-use', `No free TCP port found on ${address} in ${ATTEMPTS} attempts`);
}

async function lowestOutgoingPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
  const lowest = Number(range.split(/\s+/)[0]);
  return lowest > LOWEST + ATTEMPTS ? lowest : 65_536;
}

async function isFree(address: string, port: number): Promise<boolean> {
  const server = createServer();
  server.listen({ host: address, port });
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

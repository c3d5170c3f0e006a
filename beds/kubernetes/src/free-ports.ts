import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below those that the kernel gives to whoever calls somebody: one of these stays free while its server is away.
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 100;

/** Ports of loopback that nobody listens on, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count; attempt++) {
    if (attempt > count * ATTEMPTS) throw new Error(`no ${count} free ports of loopback found`);
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    await once(server.close(), 'close');
    return true;
  } catch {
    return false; // Somebody listens there.
  }
}

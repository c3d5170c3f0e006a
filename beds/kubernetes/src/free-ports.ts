import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

const ATTEMPTS = 100;

/** Ports to choose from, `first` among them and `last` not. */
interface PortRange {
  readonly first: number;
  readonly last: number;
}

// Below those that the kernel gives to whoever calls somebody: one of these stays free while its server is away.
const BED_PORTS: PortRange = { first: 20_000, last: 32_000 };

/** Ports of loopback that nobody listens on, all different. Nobody else gets them from here while this process lives. */
export async function freePorts(count: number, { first, last }: PortRange = BED_PORTS): Promise<readonly number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count; attempt++) {
    if (attempt > count * ATTEMPTS) throw new Error(`no ${count} free ports of loopback found`);
    const port = randomInt(first, last);
    if ((await isReserved(port)) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

/**
 * Whether the port is ours from now on. A name of an abstract socket is had by one process of a network namespace, as the
 * port is, and the kernel takes it back when the process ends, by whatever. No server listens on the port yet, and whoever
 * looks meanwhile, another test for instance, would find it free as well.
 */
async function isReserved(port: number): Promise<boolean> {
  return (await listening({ path: `\0smalt-bed-port-${port}` })) !== undefined;
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening({ port, host: '127.0.0.1' });
  if (server === undefined) return false;
  await once(server.close(), 'close');
  return true;
}

async function listening(where: ListenOptions): Promise<Server | undefined> {
  const server = createServer().listen(where).unref();
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined; // Somebody else does.
  }
}

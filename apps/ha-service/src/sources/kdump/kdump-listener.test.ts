import { createSocket } from 'node:dgram';

import { createLogger } from '@smalt/service-runtime';
import { describe, expect, it } from 'vitest';

import { clusterHost } from '../../engine/fixtures/engine-builders.ts';
import type { ClusterHost } from '../../ports/cluster-port.ts';
import { systemServiceClock } from '../../start/system-service-clock.ts';
import { KdumpListener } from './kdump-listener.ts';
import { defaultKdumpSettings, type KdumpSettings } from './kdump-settings.ts';

const LITTLE = Buffer.from([0x40, 0x2a, 0x30, 0x1b, 1, 0, 0, 0]);
const BIG = Buffer.from([0x1b, 0x30, 0x2a, 0x40, 0, 0, 0, 1]);

describe('KdumpListener', () => {
  it.each([
    ['by its Hypervisor object', LITTLE, {}, [clusterHost('n1', { internalAddress: '127.0.0.1' })]],
    ['by the settings', BIG, { addresses: { '127.0.0.1': 'n1' } }, []],
    ['by a socket for all addresses', LITTLE, { listen: '[::]:0', addresses: { '127.0.0.1': 'n1' } }, []],
  ] as const)('holds back a host that writes a kernel dump, known %s', async (_what, message, change, hosts) => {
    await using bed = await startBed({ listen: '127.0.0.1:0', ...change }, hosts);
    const before = systemServiceClock().now();

    await bed.send(message);

    await expect.poll(() => bed.listener.untilOf('n1')).toBeGreaterThanOrEqual(before + 60_000);
    expect(bed.counts).toEqual(['heard']);
  });

  it('counts and drops what is no such message, and what comes from no host', async () => {
    await using bed = await startBed({ listen: '127.0.0.1:0' }, [
      clusterHost('n1', { internalAddress: '127.0.0.1' }),
      clusterHost('n2', { internalAddress: '127.0.0.1' }),
    ]);

    await bed.send(LITTLE.subarray(1));
    await bed.send(Buffer.concat([LITTLE, LITTLE]));
    await bed.send(Buffer.from([0x40, 0x2a, 0x30, 0x1b, 2, 0, 0, 0]));
    await bed.send(LITTLE);

    await expect.poll(() => bed.counts).toEqual(['malformed', 'malformed', 'malformed', 'stranger']);
    expect([bed.listener.untilOf('n1'), bed.listener.untilOf('n2')]).toEqual([undefined, undefined]);
  });

  it('follows its settings while it runs', async () => {
    await using bed = await startBed({ listen: '127.0.0.1:0' }, []);
    expect(bed.listener.port).toBeDefined();

    bed.configure({ listen: '' });
    await expect.poll(() => bed.listener.port, { timeout: 5_000 }).toBeUndefined();
    bed.configure({ listen: '127.0.0.1:0' });

    await expect.poll(() => bed.listener.port, { timeout: 5_000 }).toBeDefined();
  });
});

async function startBed(change: Partial<KdumpSettings>, hosts: readonly ClusterHost[]) {
  const stop = new AbortController();
  const counts: string[] = [];
  let settings: KdumpSettings = { ...defaultKdumpSettings, ...change };
  const listener = new KdumpListener({
    settings: () => settings,
    hosts: () => hosts,
    clock: systemServiceClock(),
    logger: createLogger({ name: 'kdump', destination: { write: () => undefined } }),
    count: (result) => counts.push(result),
  });
  const running = listener.run(stop.signal);
  await expect.poll(() => listener.port).toBeDefined();
  return {
    listener,
    counts,
    configure: (next: Partial<KdumpSettings>) => void (settings = { ...settings, ...next }),
    send: (message: Uint8Array) => send(message, listener.port ?? 0),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

async function send(message: Uint8Array, port: number): Promise<void> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.send(message, port, '127.0.0.1', (error) => (error === null ? resolve() : reject(error)));
    });
  } finally {
    socket.close();
  }
}

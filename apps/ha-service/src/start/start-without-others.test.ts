import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import { hypervisorKind } from '@smalt/fleet-api';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startServiceBed, type BedReplica, type ServiceBed } from '../fixtures/service-bed.ts';
import { TestAuthority } from '../fixtures/test-authority.ts';

const TOKEN = 'a-token-for-tests';
const SOON = { timeout: 30_000, interval: 100 };

let bed: ServiceBed;

beforeAll(async () => {
  bed = await startServiceBed({ hosts: ['h1'] });
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('a replica that starts while the API server and the compute system are away', () => {
  it('takes telemetry and serves the API at once, and leads when the API server is there', async () => {
    await bed.client.resource(hypervisorKind).apply('h1', { spec: {} }, { fieldManager: 'test' });
    await using server = await Detour.reserve(new URL(bed.kubeConfig.server));
    const agents = await TestAuthority.make(bed.directory, 'agents');
    const kubeConfig = { ...bed.kubeConfig, server: `https://127.0.0.1:${server.port}` };
    const environment = { ...bed.cloud.environment(), OS_AUTH_URL: 'http://127.0.0.1:1/v3' };

    const replica = await bed.start('alone', {
      kubeConfig,
      environment,
      lease: { leaseMs: 1_500, renewDeadlineMs: 1_000, retryMs: 200 },
      settings: {
        kubernetes: { leaseName: 'lease-of-alone' },
        api: { tokensFile: await tokensFile() },
        sources: { push: { authorityFile: agents.authorityFile } },
      },
    });

    expect(await replica.get('/api/v1/status', TOKEN)).toMatchObject({ isLeading: false });
    expect(await push(replica, agents, 'h1')).toBe(200);
    expect(await replica.get('/api/v1/hosts/h1', TOKEN)).toMatchObject({ name: 'h1', signals: [{ source: 'agent' }] });
    expect((await replica.health.run('readyz', { signal: signal() })).isHealthy).toBe(true);

    server.open();

    await expect.poll(() => replica.get('/api/v1/status', TOKEN), SOON).toMatchObject({ isLeading: true });
    await expect
      .poll(() => replica.get('/api/v1/hosts/h1', TOKEN), SOON)
      .toMatchObject({ judgement: { kind: 'alive', by: 'agent' } });
    expect(await replica.scrape()).toMatch(/^smalt_ha_events_total 0$/m);
    await replica.service[Symbol.asyncDispose]();
    await expect(replica.service.ended).resolves.toBeUndefined();
  }, 120_000);
});

/** A port of our own that leads to another server, but only once it is opened. */
class Detour implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isOpen = false;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    const address = server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      if (!this.#isOpen) return void socket.destroy();
      const onward = connect(Number(target.port), target.hostname);
      onward.on('error', () => socket.destroy());
      socket.on('close', () => onward.destroy());
      this.#sockets.add(socket);
      socket.pipe(onward).pipe(socket);
    });
  }

  static async reserve(target: URL): Promise<Detour> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Detour(server, target);
  }

  open(): void {
    this.#isOpen = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

async function tokensFile(): Promise<string> {
  const path = join(bed.directory, 'tokens.yaml');
  const sha256 = createHash('sha256').update(TOKEN).digest('hex');
  await writeFile(path, JSON.stringify([{ name: 'tester', role: 'operator', sha256 }]));
  return path;
}

/** Sends one batch as the agent of a node; gives the status of the answer. */
async function push({ service }: BedReplica, agents: TestAuthority, node: string): Promise<number> {
  const { certificateFile, keyFile } = await agents.sign(node, `DNS:${node}`);
  const [cert, key] = await Promise.all([readFile(certificateFile, 'utf8'), readFile(keyFile, 'utf8')]);
  const dispatcher = new Agent({ connect: { cert, key, rejectUnauthorized: false } });
  const time = new Date().toISOString();
  const record = { sequence: 1, kind: 'gap', firstSequence: 1, reason: 'unsaved', time };
  const head = { version: 1, node, epoch: 'e1', agent: 'test', firstSequence: 1, lastSequence: 1 };
  try {
    const { statusCode, body } = await request(`https://127.0.0.1:${service.port}/api/v1/nodes/${node}/telemetry`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...head, records: [record] }),
    });
    expect(await body.text()).toContain('acknowledged');
    return statusCode;
  } finally {
    await dispatcher.close();
  }
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}

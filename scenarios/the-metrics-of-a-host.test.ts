import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { freePorts, ServerProcess } from '@smalt/bed-kubernetes';
import { ConsoleLog, ensureGuestImage, guestDomainXml, startHost, type BedHost } from '@smalt/bed-libvirt';
import { connect, type Connection, type Domain } from '@smalt/libvirt';
import { element } from '@smalt/xml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parsePrometheus, type Scrape } from './parse-prometheus.ts';

const PROGRAM = resolve(import.meta.dirname, '../apps/smalt/src/main.ts');
const MEBIBYTE = 1024 * 1024;
const DISK_BYTES = 16 * MEBIBYTE;

// One guest lives through all of it in this order. The API is away all the time: metrics do not need it.
describe('the metrics of a host', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let host: BedHost;
  let connection: Connection;
  let domain: Domain;
  let metrics: () => Promise<Scrape>;

  beforeAll(async () => {
    host = owned.use(await startHost());
    connection = owned.use(await connect(host.uri));
    domain = await bootGuest(host, connection);
    metrics = await startAgent(host, owned);
  }, 60_000);

  afterAll(() => owned.disposeAsync());

  it('are what libvirt says of a guest with a disk and an interface', async () => {
    const scrape = await metrics();
    const info = await connection.domainGetInfo({ domain });

    const of = (name: string, labels: Readonly<Record<string, string>> = {}): number | undefined =>
      valueOf(scrape, name, { domain: 'guest', uuid: domain.uuid, ...labels });
    expect(valueOf(scrape, 'libvirt_up')).toBe(1);
    expect(of('libvirt_domain_info_vcpus')).toBe(2);
    expect(of('libvirt_domain_info_memory_bytes')).toBe(Number(info.memory) * 1024);
    expect(of('libvirt_domain_memory_usage_bytes')).toBeGreaterThan(32 * MEBIBYTE);
    expect(of('libvirt_domain_info_vstate')).toBe(1);
    expect(of('libvirt_domain_vcpu_time_seconds_total', { vcpu: '0' })).toBeGreaterThan(0);
    expect(of('libvirt_domain_vcpu_time_seconds_total', { vcpu: '1' })).toBeDefined();
    expect(of('libvirt_domain_block_write_bytes_total', { device: 'vda' })).toBeGreaterThanOrEqual(MEBIBYTE);
    expect(of('libvirt_domain_block_write_requests_total', { device: 'vda' })).toBeGreaterThan(0);
    expect(of('libvirt_domain_block_read_bytes_total', { device: 'vda' })).toBeDefined();
    expect(of('libvirt_domain_block_stats_capacity_bytes', { target_device: 'vda' })).toBe(DISK_BYTES);
    expect(of('libvirt_domain_net_receive_bytes_total', { interface: 'tap-guest' })).toBeDefined();
    expect(of('libvirt_domain_net_transmit_drops_total', { interface: 'tap-guest' })).toBeDefined();
  });

  it('have the names and types that dashboards know, and say which agent they are of', async () => {
    const { types, series } = await metrics();

    expect(Object.fromEntries([...types].filter(([name]) => DOCUMENTED.has(name)))).toEqual(
      Object.fromEntries(DOCUMENTED),
    );
    expect(series.find(({ name }) => name === 'smalt_agent_info')?.labels).toMatchObject({ node: host.name });
  });

  it('grow with what the guest does', async () => {
    const before = writtenBytes(await metrics());

    await expect.poll(async () => writtenBytes(await metrics()), { timeout: 20_000 }).toBeGreaterThan(before);
  });

  it('no longer tell of a guest that is gone', async () => {
    await connection.domainDestroy({ domain });

    const { series } = await metrics();

    expect(series.filter(({ labels }) => labels['domain'] === 'guest')).toEqual([]);
    expect(valueOf({ series }, 'libvirt_domains')).toBe(0);
  });

  it('say so when the daemon is gone, and are there nevertheless', async () => {
    await host.stop();

    await expect.poll(async () => valueOf(await metrics(), 'libvirt_up')).toBe(0);

    const { series } = await metrics();
    expect(series.map(({ name }) => name)).toContain('process_resident_memory_bytes');
    expect(series.map(({ name }) => name)).toContain('smalt_agent_info');
  });
});

const DOCUMENTED: ReadonlyMap<string, string> = new Map([
  ['libvirt_up', 'gauge'],
  ['libvirt_domain_info_vcpus', 'gauge'],
  ['libvirt_domain_info_memory_bytes', 'gauge'],
  ['libvirt_domain_memory_usage_bytes', 'gauge'],
  ['libvirt_domain_vcpu_time_seconds_total', 'counter'],
  ...['read', 'write'].flatMap((way) => [
    [`libvirt_domain_block_${way}_bytes_total`, 'counter'] as const,
    [`libvirt_domain_block_${way}_requests_total`, 'counter'] as const,
  ]),
  ...['receive', 'transmit'].flatMap((way) => [
    [`libvirt_domain_net_${way}_bytes_total`, 'counter'] as const,
    [`libvirt_domain_net_${way}_packets_total`, 'counter'] as const,
    [`libvirt_domain_net_${way}_errors_total`, 'counter'] as const,
    [`libvirt_domain_net_${way}_drops_total`, 'counter'] as const,
  ]),
]);

async function bootGuest({ network }: BedHost, connection: Connection): Promise<Domain> {
  const log = new ConsoleLog(join(network.storagePath, 'guest.log'));
  const path = join(network.storagePath, 'disk.raw');
  await writeFile(path, Buffer.alloc(DISK_BYTES));
  const xml = guestDomainXml({
    name: 'guest',
    image: await ensureGuestImage(),
    vcpus: 2,
    words: ['wblk'],
    disks: [{ path }],
    console: { file: log.path },
    devices: [
      element('interface', { type: 'ethernet' }, [
        element('target', { dev: 'tap-guest' }),
        element('model', { type: 'virtio' }),
      ]),
    ],
  });
  const domain = await connection.domainCreateXml({ xml });
  await log.waitFor(/^wrote 1/m);
  return domain;
}

/** Starts the agent as a node does, with an API server that nobody has started, and gives what scrapes it. */
async function startAgent(host: BedHost, owned: AsyncDisposableStack): Promise<() => Promise<Scrape>> {
  const { path: folder } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-metrics-')));
  const [apiPort = 0, port = 0] = await freePorts(2);
  await writeFile(join(folder, 'kubeconfig'), kubeconfig(`https://127.0.0.1:${apiPort}`));
  const flags = {
    '--node': host.name,
    '--kubeconfig': join(folder, 'kubeconfig'),
    '--libvirt': host.uri,
    '--state': join(folder, 'state'),
    '--bus': join(folder, 'no-bus'),
    '--listen': `127.0.0.1:${port}`,
  };
  const command = [process.execPath, PROGRAM, 'node-agent', ...Object.entries(flags).flat()];
  const agent = owned.use(ServerProcess.start('smalt node-agent', command, join(folder, 'agent.log')));
  const scrape = async (): Promise<Scrape> => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) });
    return parsePrometheus(await response.text());
  };
  const isUp = (): Promise<boolean> =>
    scrape().then(
      (first) => valueOf(first, 'libvirt_up') === 1,
      () => false,
    );
  await agent.whenReady(isUp, AbortSignal.timeout(30_000));
  return scrape;
}

function kubeconfig(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'away', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'agent', user: { token: 'none' } }],
    contexts: [{ name: 'away', context: { cluster: 'away', user: 'agent' } }],
    'current-context': 'away',
  });
}

function writtenBytes(scrape: Scrape): number {
  return valueOf(scrape, 'libvirt_domain_block_write_bytes_total', { domain: 'guest', device: 'vda' }) ?? 0;
}

function valueOf(
  { series }: Pick<Scrape, 'series'>,
  wanted: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = series.find(
    (one) => one.name === wanted && Object.entries(labels).every(([name, value]) => one.labels[name] === value),
  );
  return found?.value;
}

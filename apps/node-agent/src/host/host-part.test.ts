import { AlteringProxy, startHost, startTestDaemon, type BedHost, type TestDaemon } from '@smalt/bed-libvirt';
import type { Hypervisor } from '@smalt/fleet-api';
import { connect } from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import type { NodeAgent } from '../node-agent.ts';

const GIB_IN_KIB = 2 ** 20;
/** domainGetXmlDesc and domainGetInfo of the protocol. */
const PROCEDURES_OF_DOMAINS = [14, 16];

let bed: FleetBed;

beforeAll(async () => {
  bed = await startFleetBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a host with several NUMA cells', () => {
  let host: BedHost;
  let agent: NodeAgent;

  beforeAll(async () => {
    host = await startHost({ numa: { cells: 2, coresPerCell: 4, threads: 2, memoryKiBPerCell: 32 * GIB_IN_KIB } });
    const libvirt = { kind: 'host', uri: host.uri } as const;
    agent = await bed.startAgent({ nodeName: 'numa', libvirt, register: true, pollMs: 1_000 });
    await bed.until('numa', ({ status }) => status?.numInstances === 0 && status.capacity !== undefined, 30_000);
  });

  afterAll(async () => {
    await agent[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });

  it('books a guest on the cell that its memory is bound to, and one without any tuning in the totals', async () => {
    await using connection = await connect(host.uri);

    await connection.domainDefineXml({ xml: boundXml('bound') });
    await connection.domainDefineXml({ xml: plainXml('plain') });
    const { status } = await bed.until('numa', ({ status: now }) => now?.numInstances === 2);

    expect(status).toMatchObject({
      capabilities: { cpuArch: 'x86_64', cpus: '16', memory: '64Gi' },
      domainCapabilities: { arch: 'x86_64', supportedDevices: expect.arrayContaining(['disk']) },
      allocation: { cpu: '5', memory: '5Gi' },
      cells: [
        { cellID: 0, allocation: { cpu: '0', memory: '0' }, capacity: { cpu: '8', memory: '32Gi' } },
        { cellID: 1, allocation: { cpu: '4', memory: '4Gi' }, capacity: { cpu: '8', memory: '32Gi' } },
      ],
    });
  });

  it('finds by its poll what no event told, and reads that domain alone', async () => {
    await using connection = await connect(host.uri);
    const domain = await connection.domainDefineXml({ xml: plainXml('grows', 4) });
    const before = await bed.until('numa', ({ status }) => isListed(status, 'grows'));
    const polls = callsOf('connectGetAllDomainStats') + 1;
    await expect.poll(() => callsOf('connectGetAllDomainStats'), { timeout: 10_000 }).toBeGreaterThan(polls);
    const reads = callsOf('domainGetXmlDesc');

    await connection.domainSetVcpusFlags({ domain, nvcpus: 1, flags: 2 });
    const after = await bed.until('numa', ({ status }) => cpusOf(status) === cpusOf(before.status) - 3);

    expect(after.status?.numInstances).toBe(before.status?.numInstances);
    expect(callsOf('domainGetXmlDesc')).toBe(reads + 1);
  });

  function callsOf(procedure: string): number {
    return bed.metric(agent, `smalt_libvirt_calls_total{procedure="${procedure}"}`);
  }
});

describe('hundreds of domains', () => {
  let daemon: TestDaemon;

  beforeAll(async () => {
    daemon = await startTestDaemon();
  });

  afterAll(async () => {
    await daemon[Symbol.asyncDispose]();
  });

  it('start at once, are all seen, and cost nothing as long as they do not change', { timeout: 120_000 }, async () => {
    const libvirt = { kind: 'host', uri: daemon.uri } as const;
    await using agent = await bed.startAgent({ nodeName: 'hundreds', libvirt, register: true, pollMs: 1_000 });
    await using connection = await connect(daemon.uri);

    await Promise.all(names(250).map((name) => connection.domainCreateXml({ xml: testXml(name) })));
    const full = await bed.until('hundreds', ({ status }) => status?.numInstances === 251, 60_000);
    await quiet(agent);
    const calls = bed.metricSum(agent, 'smalt_libvirt_calls_total');
    const polls = pollsOf(agent);
    await expect.poll(() => pollsOf(agent), { timeout: 20_000 }).toBeGreaterThanOrEqual(polls + 2);
    const perPoll = (bed.metricSum(agent, 'smalt_libvirt_calls_total') - calls) / (pollsOf(agent) - polls);

    expect(full.status?.instances?.filter(({ active }) => active)).toHaveLength(251);
    expect(full.status?.allocation).toEqual({ cpu: '502', memory: `${8_192 + 250 * 64}Mi` });
    expect(perPoll).toBeLessThanOrEqual(3);
  });
});

describe('a daemon that garbles the description of a domain', () => {
  it('costs the precision of that domain, and is told once', { timeout: 60_000 }, async () => {
    await using daemon = await startTestDaemon();
    await using connection = await connect(daemon.uri);
    await connection.domainDefineXml({ xml: testXml('garbled') });
    await connection.domainDefineXml({ xml: testXml('fine') });
    await using proxy = await AlteringProxy.start(daemon.port, (bytes) =>
      bytes.includes('<name>garbled</name>') ? replaced(bytes, '</domain>', '</domaim>') : bytes,
    );
    const libvirt = { kind: 'host', uri: `test+tcp://127.0.0.1:${proxy.port}/default` } as const;
    await using agent = await bed.startAgent({ nodeName: 'garbled', libvirt, register: true, pollMs: 1_000 });

    const { status } = await bed.until('garbled', ({ status: now }) => now?.numInstances === 3);
    const polls = bed.metric(agent, 'smalt_libvirt_calls_total{procedure="connectListAllDomains"}') + 2;
    await expect
      .poll(() => bed.metric(agent, 'smalt_libvirt_calls_total{procedure="connectListAllDomains"}'), { timeout: 9_000 })
      .toBeGreaterThanOrEqual(polls);

    expect(status?.allocation).toEqual({ cpu: '6', memory: `${8_192 + 128}Mi` });
    expect(status?.conditions?.find(({ type }) => type === 'LibVirtConnection')?.status).toBe('True');
    expect(bed.log.filter(({ note }) => String(note).startsWith('domain garbled:'))).toHaveLength(1);
    expect(bed.metric(agent, 'smalt_agent_domain_notes_total')).toBe(1);
  });
});

describe('a domain that does not answer', () => {
  it(
    'is counted by the list, and holds up neither the start nor the events of others',
    { timeout: 60_000 },
    async () => {
      await using daemon = await startTestDaemon();
      await using connection = await connect(daemon.uri);
      const silence = silenceOf('stuck');
      await using proxy = await AlteringProxy.start(daemon.port, silence.alter, silence.onRequest);
      await connection.domainDefineXml({ xml: testXml('stuck-before') });
      const libvirt = { kind: 'host', uri: `test+tcp://127.0.0.1:${proxy.port}/default` } as const;
      await using _agent = await bed.startAgent({ nodeName: 'silent', libvirt, register: true, pollMs: 1_000 });

      const begun = await bed.until('silent', ({ status }) => status?.numInstances === 2);
      await connection.domainDefineXml({ xml: testXml('stuck-later') });
      const definedAt = performance.now();
      await connection.domainDefineXml({ xml: testXml('fine') });
      await bed.until('silent', ({ status }) => isListed(status, 'fine'));
      const tookMs = performance.now() - definedAt;
      const { status } = await bed.until('silent', ({ status: now }) => isListed(now, 'stuck-later'));
      silence.release();
      const later = await bed.until('silent', ({ status: now }) => cpusOf(now) === 2 + 3 * 2);

      expect(begun.status?.conditions?.find(({ type }) => type === 'LibVirtConnection')?.status).toBe('True');
      expect(tookMs).toBeLessThan(1_000);
      expect(status?.allocation).toEqual({ cpu: '4', memory: `${8_192 + 64}Mi` });
      expect(later.status?.allocation).toEqual({ cpu: '8', memory: `${8_192 + 3 * 64}Mi` });
      expect(bed.log.filter(({ note }) => String(note).startsWith('domain stuck-'))).toHaveLength(2);
    },
  );

  it(
    'does not keep others from being listed when many are so, and is read once it answers',
    { timeout: 60_000 },
    async () => {
      await using daemon = await startTestDaemon();
      await using connection = await connect(daemon.uri);
      const silence = silenceOf('stuck');
      await using proxy = await AlteringProxy.start(daemon.port, silence.alter, silence.onRequest);
      for (const name of names(6)) await connection.domainDefineXml({ xml: testXml(`stuck-${name}`) });
      const libvirt = { kind: 'host', uri: `test+tcp://127.0.0.1:${proxy.port}/default` } as const;
      await using _agent = await bed.startAgent({
        nodeName: 'many-silent',
        libvirt,
        register: true,
        pollMs: 1_000,
        domainTimeoutMs: 3_000,
      });

      await bed.until('many-silent', ({ status }) => status?.numInstances === 7);
      await connection.domainDefineXml({ xml: testXml('fine') });
      await bed.until('many-silent', ({ status }) => isListed(status, 'fine'));
      silence.end();
      const { status } = await bed.until('many-silent', ({ status: now }) => cpusOf(now) === 2 + 7 * 2, 50_000);

      expect(status?.allocation).toEqual({ cpu: '16', memory: `${8_192 + 7 * 64}Mi` });
    },
  );
});

/** Lets the daemon's answers about domains vanish, by what is in their names. */
function silenceOf(name: string) {
  const swallowed = new Set<number>();
  const held: Buffer[] = [];
  let isOver = false;
  let isReleased = false;
  return {
    onRequest: (message: Buffer): void => {
      const isRead = PROCEDURES_OF_DOMAINS.includes(message.readUInt32BE(12));
      if (!isOver && isRead && message.includes(name)) swallowed.add(message.readUInt32BE(20));
    },
    alter: (message: Buffer): Buffer | undefined => {
      const isReply = message.readUInt32BE(16) === 1;
      const isSwallowed = isReply && swallowed.delete(message.readUInt32BE(20));
      if (isSwallowed) held.push(message);
      if (isReleased) return Buffer.concat([...held.splice(0), ...(isSwallowed ? [] : [message])]);
      return isSwallowed ? undefined : message;
    },
    /** Lets what was held back go with the next message. */
    release: (): void => {
      isReleased = true;
    },
    /** Lets further answers pass; those that vanished are gone. */
    end: (): void => {
      isOver = true;
    },
  };
}

function pollsOf(agent: NodeAgent): number {
  return bed.metric(agent, 'smalt_libvirt_calls_total{procedure="connectListAllDomains"}');
}

async function quiet(agent: NodeAgent): Promise<void> {
  const reads = (): number => bed.metric(agent, 'smalt_libvirt_calls_total{procedure="domainGetXmlDesc"}');
  let last = -1;
  await expect.poll(() => reads() === last || ((last = reads()), false), { timeout: 20_000, interval: 500 }).toBe(true);
}

function isListed(status: Hypervisor['status'], name: string): boolean {
  return status?.instances?.some((instance) => instance.name === name) ?? false;
}

function cpusOf(status: Hypervisor['status']): number {
  return Number(status?.allocation?.['cpu']);
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `guest-${index}`);
}

function replaced(bytes: Buffer, old: string, other: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(old, other), 'latin1');
}

function testXml(name: string): string {
  return `<domain type='test'><name>${name}</name><memory unit='MiB'>64</memory><vcpu>2</vcpu><os><type>hvm</type></os></domain>`;
}

function plainXml(name: string, vcpus = 1): string {
  return `<domain type='qemu'><name>${name}</name><memory unit='GiB'>1</memory><vcpu>${vcpus}</vcpu><os><type>hvm</type></os></domain>`;
}

function boundXml(name: string): string {
  return `<domain type='qemu'><name>${name}</name><memory unit='GiB'>4</memory><vcpu>4</vcpu>
    <numatune><memnode cellid='0' mode='strict' nodeset='1'/></numatune>
    <os><type>hvm</type></os>
    <cpu><numa><cell id='0' cpus='0-3' memory='4' unit='GiB'/></numa></cpu></domain>`;
}

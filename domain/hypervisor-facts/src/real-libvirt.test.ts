import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startHost, startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { connect, type Connection } from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readDomainCapabilities } from './read-domain-capabilities.ts';
import { readDomainUse } from './read-domain-use.ts';
import { readHostCapabilities } from './read-host-capabilities.ts';
import { readIdSet } from './read-id-set.ts';
import { readMemoryKiB } from './read-memory.ts';

const GIB = 1024 ** 2;

describe('as libvirt reads it', () => {
  let daemon: TestDaemon;
  let connection: Connection;
  beforeAll(async () => {
    daemon = await startTestDaemon();
    connection = await connect(daemon.uri);
  });
  afterAll(async () => {
    await connection.close();
    await daemon[Symbol.asyncDispose]();
  });

  const units = '|b|byte|Bytes|k|K|KB|kb|KiB|kib|MB|MiB|m|GB|G|TB|TiB|PB|p|EB|E|Kib | KiB|kibi|x|KiBs|iB|page';
  it.each(units.split('|'))('takes the unit "%s" or refuses it', async (unit) => {
    const amount = /^b/i.test(unit) ? '1048577' : '3';
    const theirs = await connection
      .domainDefineXml({ xml: testDomain(`<memory unit='${unit}'>${amount}</memory>`) })
      .then(async (domain) => Number((await connection.domainGetInfo({ domain })).maxMemory))
      .catch(() => undefined);

    expect(readMemoryKiB(amount, unit)).toBe(theirs);
  });

  it.each(['0-3,^1', '0-3, ^1', '^1,0-3', '3,1', '0-', '^0-1,2', '', '1-0', ' 1 - 3', '1,,2', '1,', 'x'])(
    'takes the set "%s" or refuses it',
    async (set) => {
      const theirs = await connection
        .domainDefineXml({ xml: testDomain(`<memory>1024</memory><vcpu cpuset='${set}'>1</vcpu>`) })
        .then(async (domain) => /cpuset='(.*?)'/.exec(await connection.domainGetXmlDesc({ domain }))?.[1] ?? '')
        .catch(() => 'refused');

      expect(readIdSet(set)).toEqual(readIdSet(theirs));
    },
  );

  it('counts the domain of the mock hypervisor as libvirt does', async () => {
    const host = readHostCapabilities(await connection.connectGetCapabilities());
    const domain = await connection.domainLookupByName({ name: 'test' });
    const info = await connection.domainGetInfo({ domain });

    const found = readDomainUse(await connection.domainGetXmlDesc({ domain }), { host });

    expect(host).toMatchObject({
      cpuArch: 'i686',
      cells: [
        { id: 0, cpus: 8 },
        { id: 1, cpus: 8 },
      ],
      notes: [],
    });
    expect(found).toMatchObject({ memoryKiB: Number(info.maxMemory), vcpus: info.virtualCpus, notes: [] });
  });

  it('sees one cell in a host that tells of none', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hypervisor-facts-'));
    const path = join(directory, 'node.xml');
    await writeFile(
      path,
      '<node><cpu><nodes>1</nodes><sockets>2</sockets><cores>4</cores><active>8</active></cpu><memory>4096</memory></node>',
    );
    await using other = await connect(daemon.uri.replace('/default', path));
    const { memory, cpus } = await other.nodeGetInfo();

    const host = readHostCapabilities(await other.connectGetCapabilities(), { memoryKiB: Number(memory), cpus });

    expect(host.cells).toEqual([{ id: 0, memoryKiB: 4096, cpus: 8, cpuIds: [] }]);
    await rm(directory, { recursive: true });
  });
});

it('places the guests of a real host with NUMA cells where libvirt was told to', async () => {
  await using bed = await startHost({ numa: { cells: 4, coresPerCell: 32, threads: 2, memoryKiBPerCell: 1024 * GIB } });
  await using connection = await connect(bed.uri);
  const host = readHostCapabilities(await connection.connectGetCapabilities());
  const uses = await Promise.all(
    [
      qemuDomain('tuned', `<numatune><memnode cellid='0' mode='strict' nodeset='2'/></numatune>`),
      qemuDomain(
        'pinned',
        `<cputune><vcpupin vcpu='0' cpuset='32-63,160-191'/><vcpupin vcpu='1' cpuset='1'/></cputune>`,
      ),
      qemuDomain('plain', ''),
    ].map(async (xml) => {
      const domain = await connection.domainDefineXml({ xml });
      return readDomainUse(await connection.domainGetXmlDesc({ domain }), { host });
    }),
  );

  expect(host.cells).toHaveLength(4);
  expect(host.cells.map(({ cpus, memoryKiB }) => [cpus, memoryKiB])).toEqual(host.cells.map(() => [64, 1024 * GIB]));
  expect(uses).toEqual([
    { memoryKiB: 2 * GIB, vcpus: 2, cells: [{ cellId: 2, memoryKiB: 2 * GIB, milliVcpus: 2000 }], notes: [] },
    {
      memoryKiB: 2 * GIB,
      vcpus: 2,
      cells: [
        { cellId: 0, memoryKiB: GIB, milliVcpus: 1000 },
        { cellId: 1, memoryKiB: GIB, milliVcpus: 1000 },
      ],
      notes: [],
    },
    { memoryKiB: 2 * GIB, vcpus: 2, cells: [], notes: [] },
  ]);
  expect(readDomainCapabilities(await connection.connectGetDomainCapabilities({}))).toMatchObject({
    arch: 'x86_64',
    supportedDevices: expect.arrayContaining(['disk', 'disk/virtio']),
  });
});

function testDomain(content: string): string {
  return `<domain type='test'><name>guest</name><uuid>7f5c1a8e-0000-4000-8000-000000000001</uuid>${content}<os><type>hvm</type></os></domain>`;
}

function qemuDomain(name: string, tuning: string): string {
  const numa = `<cpu><numa><cell id='0' cpus='0-1' memory='2' unit='GiB'/></numa></cpu>`;
  return `<domain type='qemu'><name>${name}</name><memory unit='GiB'>2</memory><vcpu current='2'>2</vcpu>${tuning}<os><type arch='x86_64'>hvm</type></os>${numa}</domain>`;
}

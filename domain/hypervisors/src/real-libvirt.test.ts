import { existsSync } from 'node:fs';

import { startHost, startTestDaemon, type BedHost } from '@smalt/bed-libvirt';
import { buildDomain, instanceStatus, printDomain, readDomain, type DomainContext } from '@smalt/domain-xml';
import { connect, type Connection, DomainCreateFlags, DomainDefineFlags, DomainUndefineFlags } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { cursorAt, parseXml, printXml } from '@smalt/xml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findHypervisor } from './find-hypervisor.ts';
import { nodeContext } from './fixtures/node-context.ts';
import { readInstances } from './fixtures/read-instances.ts';
import { lostParts } from './fixtures/lost-parts.ts';

const LXC_DRIVER = '/usr/lib/x86_64-linux-gnu/libvirt/connection-driver/libvirt_driver_lxc.so';

/** What QEMU says where KVM is nested into another hypervisor that keeps registers of the processor from it. */
const BROKEN_KVM = /failed to set MSR/;

/** What this libvirt, 9.0, or this machine cannot have; all else of the goldens is defined for real. */
const BEYOND: ReadonlyMap<string, string> = new Map([
  ['arm64', 'No emulator found'],
  ['s390x', 'No emulator found'],
  ['shielded-snp', 'failed to validate'],
  ['shielded-tdx', 'failed to validate'],
  ['fast', 'failed to validate'],
  ['windows', 'failed to validate'],
  // The example asks for a place on a bus that the machine does not have.
  ['router', 'slot must be <= 0'],
]);

const instances = await readInstances();
const names = instances.map(({ metadata }) => metadata.name ?? '');

describe('QEMU by libvirt', () => {
  let host: BedHost;
  let connection: Connection;
  beforeAll(async () => {
    host = await startHost();
    connection = await connect(host.uri);
  });
  afterAll(async () => {
    await connection.close();
    await host[Symbol.asyncDispose]();
  });

  const rows = ['qemu-kvm', 'qemu'].flatMap((driver) => names.map((name) => ({ driver, name })));
  it.each(rows.filter(({ name }) => !BEYOND.has(name)))(
    'takes all that $driver makes of $name',
    async ({ driver, name }) => {
      const instance = find(name);
      const built = buildDomain(findHypervisor(driver), instance, nodeContext(instance));

      const text = await define(connection, printXml(built));

      expect(lostParts(built, text)).toEqual([]);
    },
  );

  it.each([...BEYOND])('cannot take %s here: %s', async (name, reason) => {
    const instance = find(name);
    const defined = define(connection, printDomain(findHypervisor('qemu-kvm'), instance, nodeContext(instance)));

    await expect(defined).rejects.toThrow(reason);
  });

  it('leaves ports free to plug devices in', async () => {
    const instance = find('basic');
    const text = await define(connection, printDomain(findHypervisor('qemu'), instance, nodeContext(instance)));

    expect(freePorts(text)).toBeGreaterThanOrEqual(3);
  });

  it.for(['qemu-kvm', 'qemu'])('starts what %s makes, and it is where the driver says', async (name, { skip }) => {
    const { libvirt, virtualProcessorThread } = findHypervisor(name);
    const instance = { ...find('workers'), metadata: { name: `real-${name}`, namespace: 'default' } };
    const context: DomainContext = { ...nodeContext(instance), paths: {} };

    const xml = printDomain(findHypervisor(name), instance, context);
    const started = connection.domainCreateXml({ xml, flags: DomainCreateFlags.paused });
    const domain = await started.catch((error: unknown) => {
      skip(name === 'qemu-kvm' && BROKEN_KVM.test(String(error)), 'KVM of this machine starts no QEMU');
      throw error;
    });
    const pid = await host.exec(['cat', `${libvirt.pidDirectory}/default_real-${name}.pid`]);
    const threads = (await host.exec(['sh', '-c', `cat /proc/${Number(pid)}/task/*/comm`])).split('\n');
    const process = await host.exec(['cat', `/proc/${Number(pid)}/comm`]);

    expect(threads.filter((thread) => virtualProcessorThread?.test(thread))).toHaveLength(1);
    expect(libvirt.commandPrefixes.some((prefix) => process.startsWith(prefix))).toBe(true);
    expect(instanceStatus(readDomain(await connection.domainGetXmlDesc({ domain })), instance)).toMatchObject({
      currentCPUTopology: { cores: 1, sockets: 1, threads: 1 },
      memory: { guestCurrent: '1Gi' },
    });

    await connection.domainDestroy({ domain });
  });

  it.each(['plain', 'light'])('finds what cloud-hypervisor makes of %s in its schema', async (name) => {
    const instance = find(name);
    const built = buildDomain(findHypervisor('cloud-hypervisor'), instance, nodeContext(instance));

    const text = await define(connection, printXml(built));

    expect(lostParts(built, text)).toEqual([]);
  });

  it('finds what lxc makes in its schema', async () => {
    const instance = find('plain');
    const defined = define(connection, printDomain(findHypervisor('lxc'), instance, nodeContext(instance)));

    // The schema is looked at first; only then does QEMU say that this is not for it.
    await expect(defined).rejects.toThrow(/^(?!.*validate).*(?:exe|PCI bus)/s);
  });

  it.skipIf(!existsSync(LXC_DRIVER))('runs what lxc makes where libvirt has that driver', async () => {
    await using containers = await connectTo(host.uri.replace('qemu+', 'lxc+'));
    const instance = find('plain');
    const built = buildDomain(findHypervisor('lxc'), instance, nodeContext(instance));

    const lost = lostParts(built, await define(containers.connection, printXml(built), 0));

    // This driver of libvirt gives devices its own aliases.
    expect(lost.filter((part) => !part.endsWith('/alias'))).toEqual([]);
  });
});

describe('the mock by libvirt', () => {
  it('takes all that the driver test makes, and starts it', async () => {
    await using daemon = await startTestDaemon();
    await using mock = await connectTo(daemon.uri);
    const able = instances.filter(
      ({ metadata }) => !['failed to validate'].includes(BEYOND.get(metadata.name ?? '') ?? ''),
    );

    const lost = await Promise.all(
      able.map(async (instance) => {
        const built = buildDomain(findHypervisor('test'), withOwnId(instance), nodeContext(instance));
        return lostParts(built, await define(mock.connection, printXml(built), 0));
      }),
    );
    const plain = printDomain(findHypervisor('test'), find('plain'), nodeContext(find('plain')));
    const domain = await mock.connection.domainCreateXml({ xml: plain });

    expect(lost.flat()).toEqual([]);
    expect((await mock.connection.domainGetInfo({ domain })).virtualCpus).toBe(2);
  });
});

/** Defines a domain after a look at libvirt's schema, and gives it as libvirt has it. */
async function define(
  connection: Connection,
  xml: string,
  flags: number = DomainUndefineFlags.keepNvram,
): Promise<string> {
  const domain = await connection.domainDefineXmlFlags({ xml, flags: DomainDefineFlags.validate });
  const text = await connection.domainGetXmlDesc({ domain });
  await connection.domainUndefineFlags({ domain, flags });
  return text;
}

async function connectTo(uri: string): Promise<AsyncDisposable & { readonly connection: Connection }> {
  const connection = await connect(uri);
  return { connection, [Symbol.asyncDispose]: () => connection.close() };
}

function freePorts(text: string): number {
  const devices = cursorAt(parseXml(text)).require('devices');
  const ports = devices.children('controller').filter((each) => each.attribute('model') === 'pcie-root-port');
  const taken = new Set(devices.children().map((device) => Number(device.value('address/@bus') ?? -1)));
  return ports.filter((port) => !taken.has(Number(port.attribute('index')))).length;
}

function find(name: string): VirtualMachineInstance {
  const found = instances.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`There is no instance ${name}`);
  return found;
}

function withOwnId(instance: VirtualMachineInstance): VirtualMachineInstance {
  return { ...instance, metadata: { ...instance.metadata, uid: crypto.randomUUID() } };
}

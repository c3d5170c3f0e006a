import { printDomain, type DomainContext, type DomainVolume } from '@smalt/domain-xml';
import type { DomainSpec, VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { findHypervisor } from './find-hypervisor.ts';
import { nodeContext } from './fixtures/node-context.ts';

const root = { name: 'root', disk: { bus: 'virtio' } };

describe('a container', () => {
  it.each<[string, Partial<DomainSpec>, Partial<VirtualMachineInstanceSpec>, Partial<DomainContext>, string]>([
    ['a directory', {}, {}, { volumes: [volume('root', { kind: 'directory', path: '/d' })] }, "<source dir='/d'/>"],
    [
      'a block device',
      {},
      {},
      { volumes: [volume('root', { kind: 'block', path: '/dev/x' })] },
      "<source dev='/dev/x'/>",
    ],
    [
      'an image that is no raw one',
      {},
      {},
      { volumes: [{ ...volume('root'), format: 'qcow2' }] },
      "<driver type='nbd' format='qcow2'/>",
    ],
    [
      'a config drive',
      { devices: { disks: [root, { name: 'drive' }] } },
      { volumes: [{ name: 'drive', cloudInitConfigDrive: {} }] },
      {},
      "<target dir='/var/lib/cloud/seed/config_drive'/>",
    ],
    [
      'a shared directory',
      { devices: { disks: [root], filesystems: [{ name: 'shared', virtiofs: {} }] } },
      {},
      { volumes: [volume('root'), volume('shared', { kind: 'directory', path: '/s' })] },
      "<target dir='/shared/shared'/>",
    ],
    [
      'a port of Open vSwitch',
      { devices: { disks: [root], interfaces: [{ name: 'net' }] } },
      {},
      { networks: [{ kind: 'bridge', name: 'net', bridge: 'br-int', ovsInterfaceId: 'id-1' }] },
      "<parameters interfaceid='id-1'/>",
    ],
    [
      'a hardware address that is written with dots',
      { devices: { disks: [root], interfaces: [{ name: 'net', macAddress: '0200.00AB.CDEF' }] } },
      {},
      { networks: [{ kind: 'bridge', name: 'net', bridge: 'br0' }] },
      "<mac address='02:00:00:ab:cd:ef'/>",
    ],
    [
      'processors of its own',
      { cpu: { cores: 2, dedicatedCpuPlacement: true } },
      {},
      { dedicatedCpus: [4, 5] },
      "<vcpu placement='static' cpuset='4,5'>2</vcpu>",
    ],
  ])('has %s', (...[, domain, spec, context, expected]) => {
    expect(print('lxc', domain, spec, context)).toContain(expected);
  });

  it.each<[string, Partial<DomainSpec>, Partial<DomainContext>, string]>([
    ['a root', { devices: {} }, {}, 'spec.domain.devices.disks: a container needs a volume for its root; add a disk'],
    ['its volume', {}, { volumes: [] }, 'spec.domain.devices.disks[0].name: the volume "root" is not on the node yet'],
    [
      'a way to its network',
      { devices: { disks: [root], interfaces: [{ name: 'net' }] } },
      { networks: [{ kind: 'passt', name: 'net' }] },
      'cannot be connected by passt; use masquerade or bridge',
    ],
  ])('is refused without %s', (_, domain, context, message) => {
    expect(() => print('lxc', domain, {}, context)).toThrow(message);
  });
});

describe('a domain of cloud-hypervisor', () => {
  const kernelBoot = { kernelArgs: 'quiet', container: { image: 'i', kernelPath: '/k', initrdPath: '/i' } };

  it('boots a kernel of its own', () => {
    expect(print('cloud-hypervisor', { firmware: { kernelBoot } }).replaceAll(/>\s+</g, '><')).toContain(
      '<kernel>/run/smalt/vm/vmlinuz</kernel><initrd>/run/smalt/vm/initrd</initrd><cmdline>quiet</cmdline>',
    );
  });

  it('can do without a console', () => {
    expect(print('cloud-hypervisor', { devices: { disks: [root], autoattachSerialConsole: false } })).not.toContain(
      'serial',
    );
  });

  it.each<[string, Partial<DomainSpec>, Partial<DomainContext>, string]>([
    ['firmware', {}, { firmware: [] }, 'the node has no firmware of the kind hypervisor'],
    ['its kernel', { firmware: { kernelBoot } }, { kernel: undefined }, 'its kernel was not unpacked on the node'],
    [
      'a disk that is a directory',
      {},
      { volumes: [volume('root', { kind: 'directory', path: '/d' })] },
      'spec.domain.devices.disks[0]: the volume "root" is a directory',
    ],
    [
      'an overlay',
      {},
      { volumes: [{ ...volume('root'), backing: { source: { kind: 'file', path: '/b' }, format: 'raw' } }] },
      'the volume "root" is an overlay',
    ],
    [
      'too many disks',
      { devices: { disks: Array.from({ length: 27 }, () => root) } },
      {},
      'cloud-hypervisor takes 26 disks at most',
    ],
  ])('is refused for %s', (_, domain, context, message) => {
    expect(() => print('cloud-hypervisor', domain, {}, context)).toThrow(message);
  });
});

function print(
  driver: string,
  domain: Partial<DomainSpec>,
  spec: Partial<VirtualMachineInstanceSpec> = {},
  context: Partial<DomainContext> = {},
): string {
  const instance: VirtualMachineInstance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'guest', namespace: 'default' },
    spec: { ...spec, domain: { memory: { guest: '1Gi' }, devices: { disks: [root] }, ...domain } },
  };
  const volumes = [volume('root'), volume('drive')];
  return printDomain(findHypervisor(driver), instance, { ...nodeContext(instance), volumes, ...context });
}

function volume(name: string, source: DomainVolume['source'] = { kind: 'file', path: `/${name}` }): DomainVolume {
  return { name, source, format: 'raw', supportsDirectIo: true };
}

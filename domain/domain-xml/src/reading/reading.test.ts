import { describe, expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { diskTargets, instanceStatus } from './instance-status.ts';
import { readDomain } from './read-domain.ts';

describe('what libvirt says about a domain', () => {
  it('is read, with the names that we gave', () => {
    expect(readDomain(running)).toEqual({
      name: 'default_guest',
      uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223',
      owner: { namespace: 'default', name: 'guest', uid: 'u-1', hypervisor: 'qemu', gracePeriodSeconds: 30 },
      type: 'qemu',
      architecture: 'x86_64',
      machineType: 'pc-q35-7.2',
      memory: { bytes: 2_147_483_648n, currentBytes: 1_073_741_824n, maxBytes: 4_294_967_296n },
      processors: { count: 4, maxCount: 8, cores: 2, threads: 1 },
      disks: [
        { name: 'root', device: 'disk', target: 'vda', bus: 'virtio', path: '/root.img', isReadOnly: false },
        { name: undefined, device: 'cdrom', target: 'sda', bus: 'sata', path: undefined, isReadOnly: true },
      ],
      interfaces: [
        {
          name: 'default',
          mac: '02:00:00:00:00:01',
          device: 'tap0',
          model: 'virtio',
          queues: 4,
          linkState: 'down',
          mtu: 1450,
        },
        {
          name: 'fast',
          mac: undefined,
          device: undefined,
          model: undefined,
          queues: 1,
          linkState: 'up',
          mtu: undefined,
        },
      ],
      serialPath: '/serial0',
      vncSocket: '/vnc',
      vsockCid: 42,
      isAgentConnected: true,
    });
  });

  it('may be little', () => {
    const report = readDomain("<domain type='test'><name>test</name><memory>1024</memory></domain>");

    expect(report).toMatchObject({ owner: undefined, memory: { bytes: 1_048_576n, maxBytes: undefined }, disks: [] });
    expect(report.isAgentConnected).toBe(false);
    expect(report.processors).toEqual({ count: 1, maxCount: 1, cores: 1, threads: 1 });
  });

  it.each([
    ['a name without a namespace', running.replace('default_guest', 'guest')],
    ['metadata of somebody else', running.replace('http://kubevirt.io', 'http://example.org')],
    ['no metadata', running.replaceAll(/<metadata>[^]*<\/metadata>/g, '')],
  ])('is nobody’s with %s', (_, text) => {
    expect(readDomain(text).owner).toBeUndefined();
  });

  it.each([
    ['<domain', 'not-a-domain'],
    ['<network/>', 'not-a-domain'],
    ["<domain type='kvm'/>", 'not-a-domain'],
    ["<domain type='kvm'><name>a</name><memory unit='x'>1</memory></domain>", 'not-a-domain'],
    ["<domain type='kvm'><name>a</name><memory>-1</memory></domain>", 'not-a-domain'],
  ])('is refused when it is none: %s', (text, code) => {
    expect(() => readDomain(text)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the status of an instance', () => {
  const interfaces = [{ name: 'gone', state: 'absent' }, { name: 'default' }, { name: 'fast', sriov: {} }];
  const instance = anInstance({ devices: { disks: [{ name: 'root' }, { name: 'media', cdrom: {} }], interfaces } });

  it('shows what the domain has', () => {
    expect(instanceStatus(readDomain(running), instance)).toEqual({
      machine: { type: 'pc-q35-7.2' },
      currentCPUTopology: { cores: 2, sockets: 2, threads: 1 },
      memory: { guestCurrent: '1Gi' },
      interfaces: [
        { name: 'default', mac: '02:00:00:00:00:01', infoSource: 'domain', queueCount: 4, linkState: 'down' },
        { name: 'fast', infoSource: 'domain', queueCount: 1, linkState: 'up' },
      ],
      VSOCKCID: 42,
    });
  });

  it('shows where the guest sees its disks', () => {
    expect([...diskTargets(readDomain(running), instance)]).toEqual([
      ['root', 'vda'],
      ['media', 'sda'],
    ]);
  });

  it('knows interfaces whose names were forgotten by their addresses, then by their order', () => {
    const forgotten = readDomain(running.replaceAll(/<alias [^>]*>/g, ''));
    const dashed = [{ name: 'other' }, { name: 'mine', macAddress: '02-00-00-00-00-01' }];
    const dotted = [{ name: 'other' }, { name: 'mine', macAddress: '0200.0000.0001' }];

    const names = [dashed, dotted, interfaces].map((list) =>
      instanceStatus(forgotten, anInstance({ devices: { interfaces: list } })).interfaces?.map(({ name }) => name),
    );

    expect(names).toEqual([['mine'], ['mine'], ['default']]);
  });
});

const running = `<domain type='qemu' id='1'>
  <name>default_guest</name>
  <uuid>5d307ca9-b3ef-428c-8861-06e72d69f223</uuid>
  <metadata>
    <k:kubevirt xmlns:k="http://kubevirt.io"><k:uid>u-1</k:uid><k:hypervisor>qemu</k:hypervisor>
      <k:graceperiod><k:deletionGracePeriodSeconds>30</k:deletionGracePeriodSeconds></k:graceperiod></k:kubevirt>
  </metadata>
  <maxMemory slots='1' unit='KiB'>4194304</maxMemory>
  <memory unit='KiB'>2097152</memory>
  <currentMemory unit='KiB'>1048576</currentMemory>
  <vcpu placement='static' current='4'>8</vcpu>
  <os><type arch='x86_64' machine='pc-q35-7.2'>hvm</type></os>
  <cpu mode='host-model'><topology sockets='4' dies='1' cores='2' threads='1'/></cpu>
  <devices>
    <disk type='file' device='disk'><source file='/root.img'/><target dev='vda' bus='virtio'/><alias name='ua-disk-root'/></disk>
    <disk type='file' device='cdrom'><target dev='sda' bus='sata'/><readonly/></disk>
    <interface type='ethernet'><mac address='02:00:00:00:00:01'/><target dev='tap0' managed='no'/><model type='virtio'/>
      <driver name='vhost' queues='4'/><link state='down'/><mtu size='1450'/><alias name='ua-interface-default'/></interface>
    <hostdev mode='subsystem' type='pci' managed='no'><alias name='ua-interface-fast'/></hostdev>
    <hostdev mode='subsystem' type='pci' managed='no'><alias name='ua-gpu-fast'/></hostdev>
    <serial type='unix'><source mode='bind' path='/serial0'/></serial>
    <graphics type='vnc'><listen type='socket' socket='/vnc'/></graphics>
    <vsock model='virtio'><cid auto='no' address='42'/></vsock>
    <channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0' state='connected'/></channel>
  </devices>
</domain>`;

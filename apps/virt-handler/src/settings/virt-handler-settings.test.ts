import { expect, it } from 'vitest';

import { loadVirtHandlerConfig } from './load-virt-handler-config.ts';
import { virtHandlerSettings, type VirtHandlerSettings } from './virt-handler-settings.ts';

it('has a default for everything', async () => {
  const { drivers, ...rest } = await settings([]);

  expect(rest).toMatchObject({
    nodeName: 'hv1.example',
    namespace: 'smalt-system',
    stateDirectory: '/var/lib/smalt/virt-handler',
    podsDirectory: '/var/lib/smalt/pods',
    devicePlugins: '/var/lib/kubelet/device-plugins',
    hostDiskDirectories: [],
    networks: { podNetwork: 'nat', networks: {}, nat: { bridge: 'smalt0', range: '10.222.0.0/18', nameServers: [] } },
    migration: { peerUri: '{driver}+tls://{address}/system', address: undefined, canEncrypt: false },
    maxStarts: 8,
    nodeApi: { listen: '0.0.0.0:8186', certificateFile: '', stateDirectory: '/var/lib/smalt/virt-handler/node-api' },
  });
  expect(Object.keys(drivers ?? {})).toEqual(['qemu-kvm', 'qemu', 'cloud-hypervisor']);
});

it('goes by the variable of the DaemonSet, unless a setting is given', async () => {
  expect((await settings([], { NODE_NAME: 'node-7' })).nodeName).toBe('node-7');
  expect((await settings(['--node', 'mine'], { NODE_NAME: 'node-7' })).nodeName).toBe('mine');
});

it('finds a libvirt that is not the one of the operating system', async () => {
  const flags = [
    '--drivers',
    'qemu,test',
    '--libvirt-socket',
    '/l/run/libvirt-sock',
    '--libvirt-run-directory',
    '/l/run',
  ];

  const { drivers } = await settings(flags);

  expect(drivers).toEqual({
    qemu: { uri: 'qemu+unix:///system?socket=%2Fl%2Frun%2Flibvirt-sock', pidDirectory: '/l/run/qemu' },
    test: expect.objectContaining({ pidDirectory: undefined }),
  });
});

it('offers its devices to no kubelet when told so', async () => {
  expect((await settings(['--kubelet-device-plugins', ''])).devicePlugins).toBeUndefined();
});

it('lets host disks lie where it is told', async () => {
  const { hostDiskDirectories } = await settings(['--host-disk-directories', '/srv/disks,/mnt/shared/']);

  expect(hostDiskDirectories).toEqual(['/srv/disks', '/mnt/shared']);
});

it('leads networks where it is told', async () => {
  const flags = ['--network-pod', 'bridge:br0', '--network-others', 'blue=ovs:br-int,shop/red=bridge:br1'];

  expect((await settings(flags)).networks).toMatchObject({
    podNetwork: 'bridge:br0',
    networks: { blue: 'ovs:br-int', 'shop/red': 'bridge:br1' },
  });
});

it('serves the node API by files, or not at all', async () => {
  const files = ['--node-api-certificate', '/c', '--node-api-key', '/k', '--node-api-authority', '/a'];

  expect((await settings(files)).nodeApi).toMatchObject({ certificateFile: '/c', keyFile: '/k', authorityFile: '/a' });
  expect((await settings(['--node-api-listen', ''])).nodeApi).toBeUndefined();
});

it.each([
  [['--drivers', 'xen'], /^drivers: .*xen/],
  [['--node-api-certificate', '/c'], /^nodeApi\.key: is needed beside nodeApi\.certificate; give both/],
  [['--node-api-key', '/k'], /^nodeApi\.certificate: is needed beside nodeApi\.key; give both/],
  [['--max-starts', '0'], /maxStarts|max-starts/],
  [['--network-others', 'blue'], /others/],
])('refuses %j by its name', async (flags, message) => {
  await expect(settings(flags)).rejects.toThrow(message);
});

async function settings(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<VirtHandlerSettings> {
  const loaded = await loadVirtHandlerConfig({ arguments: flags, environment });
  if (loaded.kind !== 'config') throw new Error('no help was asked for');
  return virtHandlerSettings(loaded.config, { environment, hostname: 'HV1.example' });
}

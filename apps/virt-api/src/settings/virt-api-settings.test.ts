import { expect, it } from 'vitest';

import { loadVirtApiConfig } from './load-virt-api-config.ts';
import { virtApiSettings, type VirtApiSettings } from './virt-api-settings.ts';

it('has what a cluster usually has', async () => {
  const settings = await settingsOf();

  expect(settings).toMatchObject({
    namespace: 'smalt-system',
    serviceName: 'virt-api',
    listen: '0.0.0.0:8443',
    certificateFiles: undefined,
    handlerIdentity: undefined,
    settings: { defaultHypervisor: 'qemu-kvm', evictionStrategy: 'None', rolloutStrategy: 'LiveUpdate' },
  });
  expect(settings.controlPlane.api).toContain('system:serviceaccount:smalt-system:smalt-virt-api');
  expect(settings.settings.cpuModel).toBeUndefined();
  expect(settings.settings.allowedHypervisors).toEqual(['qemu-kvm', 'qemu', 'cloud-hypervisor', 'test']);
});

it('takes what flags say', async () => {
  const flags = [
    '--namespace=vms',
    '--machines-hypervisor=qemu',
    '--machines-feature-gates=HostDisk,Sidecar',
    '--machines-allowed-hypervisors=qemu,lxc',
    '--machines-cpu-model=Skylake',
    '--control-plane-handler=node-user',
    '--handlers-token-file=/token',
    '--serve-certificate=/crt',
    '--serve-key=/key',
  ];

  const settings = await settingsOf(...flags);

  expect(settings).toMatchObject({
    certificateFiles: { certificate: '/crt', key: '/key', authority: '' },
    handlerIdentity: { kind: 'token', token: { kind: 'file', path: '/token' } },
    settings: {
      defaultHypervisor: 'qemu',
      allowedHypervisors: ['qemu', 'lxc'],
      featureGates: ['HostDisk', 'Sidecar'],
      cpuModel: 'Skylake',
    },
    controlPlane: { handler: ['node-user'], controller: expect.arrayContaining([expect.stringContaining(':vms:')]) },
  });
});

it('has a token made for the handler of each node, of its own account, where an audience is given', async () => {
  const settings = await settingsOf('--namespace=vms', '--handlers-audience=handler/{node}');

  expect(settings.handlerIdentity).toBeUndefined();
  expect(settings.handlerTokens).toEqual({
    namespace: 'vms',
    account: 'smalt-virt-api',
    audience: 'handler/{node}',
  });
});

it.each([
  [['--handlers-audience=a', '--handlers-token-file=/token'], 'handlers.audience and handlers.tokenFile are two ways'],
  [['--serve-certificate=/crt'], 'serve.certificate and serve.key go together'],
  [['--machines-hypervisor=bhyve'], '--machines-hypervisor'],
  [['--machines-hypervisor=lxc'], 'machines.hypervisor: lxc is not in machines.allowedHypervisors'],
  [['--machines-allowed-hypervisors=qemu,bhyve'], '--machines-allowed-hypervisors'],
  [['--machines-feature-gate=HostDisk'], '--machines-feature-gates'],
])('refuses %j by the name of the setting', async (flags, message) => {
  await expect(settingsOf(...flags)).rejects.toThrow(message);
});

async function settingsOf(...flags: readonly string[]): Promise<VirtApiSettings> {
  const loaded = await loadVirtApiConfig({ arguments: flags, environment: {} });
  if (loaded.kind === 'help') throw new Error('help was asked for');
  return virtApiSettings(loaded.config);
}

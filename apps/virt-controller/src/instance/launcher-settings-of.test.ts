import { expect, it } from 'vitest';

import { instanceDraft } from '../fixtures/vm-objects.ts';
import { defaultVirtControllerSettings } from '../settings/virt-controller-settings.ts';
import { launcherSettingsOf } from './launcher-settings-of.ts';

const MEBIBYTE = 1024n * 1024n;

it.each([
  { hypervisor: 'qemu-kvm', device: 'kvm', emulatesMachine: true },
  { hypervisor: 'qemu', device: undefined, emulatesMachine: true },
  { hypervisor: 'lxc', device: undefined, emulatesMachine: false },
  { hypervisor: 'test', device: undefined, emulatesMachine: false },
])('takes what $hypervisor needs from its driver', ({ hypervisor, device, emulatesMachine }) => {
  const { driver } = launcherSettingsOf(
    instanceDraft('d', 'vm', { hypervisor }),
    defaultVirtControllerSettings,
    new Set(),
  );

  expect(driver).toMatchObject({ name: hypervisor, device, emulatesMachine });
});

it('has launchers pulled as the settings say', () => {
  const pulled = {
    ...defaultVirtControllerSettings,
    launcherPullPolicy: 'Always',
    launcherPullSecrets: ['a'],
  } as const;

  const launcher = launcherSettingsOf(instanceDraft('d', 'vm', { hypervisor: 'qemu' }), pulled, new Set());

  expect(launcher).toMatchObject({ imagePullPolicy: 'Always', imagePullSecrets: ['a'] });
});

it('sets memory aside for the launcher and the process of the guest, not for the libvirtd of the node', () => {
  const vmi = instanceDraft('d', 'vm', { hypervisor: 'qemu-kvm' });

  const { driver } = launcherSettingsOf(vmi, defaultVirtControllerSettings, new Set());

  expect(driver.overheadBytes / MEBIBYTE).toBe(63n);
});

it('refuses a hypervisor that does not exist', () => {
  const vmi = instanceDraft('d', 'vm', { hypervisor: 'nonsense' });

  expect(() => launcherSettingsOf(vmi, defaultVirtControllerSettings, new Set())).toThrow('nonsense');
});

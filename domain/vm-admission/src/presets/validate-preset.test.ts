import type { VirtualMachineInstancePreset } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { DEFAULT_CLUSTER_SETTINGS } from '../cluster-settings.ts';
import { withoutAdvice } from '../fixtures/small-instance.ts';
import { validatePreset } from './validate-preset.ts';

it.each([
  ['takes one with a domain', { selector: {}, domain: { devices: {} } }, []],
  ['refuses one without', { selector: {} }, ['spec.domain']],
  [
    'refuses disks that have one name',
    { selector: {}, domain: { devices: { disks: [{ name: 'a' }, { name: 'a' }] } } },
    ['spec.domain.devices.disks[1].name'],
  ],
  [
    'refuses two bootloaders',
    { selector: {}, domain: { devices: {}, firmware: { bootloader: { bios: {}, efi: {} } } } },
    ['spec.domain.firmware.bootloader'],
  ],
  [
    'refuses a selector that is none',
    { selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] }, domain: { devices: {} } },
    ['spec.selector'],
  ],
])('%s', (_what, spec, fields) => {
  const causes = withoutAdvice(validatePreset(preset(spec), DEFAULT_CLUSTER_SETTINGS));

  expect(causes.map(({ field }) => field)).toEqual(fields);
});

function preset(spec: VirtualMachineInstancePreset['spec']): VirtualMachineInstancePreset {
  const metadata = { name: 'a', namespace: 'd' };
  return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstancePreset', metadata, spec };
}

import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { forbidden, invalid } from '../../cause.ts';
import { domain, withInterface } from '../../fixtures/small-instance.ts';

const SECURITY = 'spec.launchSecurity';
const on = { enabled: true };
const plainEfi = { bootloader: { efi: { secureBoot: false } } };

describe('the rules about guests that are shielded', () => {
  const sev = { sev: {} };
  const tdxGate = { featureGates: ['WorkloadEncryptionTDX'] };

  it.each([
    {
      rule: 'there is one shield',
      bad: domain({ launchSecurity: { sev: {}, tdx: {} }, firmware: plainEfi }),
      causes: [forbidden(SECURITY, 'One and only one launchSecurity type can be set')],
      good: domain({ launchSecurity: sev, firmware: plainEfi }),
    },
    {
      rule: 'there is a shield at all',
      bad: domain({ launchSecurity: {} }),
      causes: [forbidden(SECURITY, 'One and only one launchSecurity type can be set')],
      good: domain({}),
    },
    {
      rule: 'the shield is for an architecture that has one',
      bad: { ...domain({ launchSecurity: sev }), architecture: 'arm64' },
      causes: [invalid('spec.architecture', 'No launchSecurity support for architecture: arm64')],
      good: { ...domain({ launchSecurity: {} }), architecture: 's390x' },
    },
    {
      rule: 'SEV needs EFI',
      bad: domain({ launchSecurity: sev }),
      causes: [invalid(SECURITY, 'SEV requires OVMF (UEFI)')],
      good: domain({ launchSecurity: { snp: {} }, firmware: plainEfi }),
    },
    {
      rule: 'SEV goes without secure boot',
      bad: domain({ launchSecurity: sev, firmware: { bootloader: { efi: {} } }, features: { smm: on } }),
      causes: [invalid(SECURITY, 'SEV does not work along with SecureBoot')],
      good: domain({ launchSecurity: sev, firmware: plainEfi, features: { smm: on } }),
    },
    {
      rule: 'SNP goes without kept variables',
      bad: domain({
        launchSecurity: { snp: {} },
        firmware: { bootloader: { efi: { secureBoot: false, persistent: true } } },
      }),
      causes: [invalid(SECURITY, 'SNP does not work along with Persistent EFI variables')],
      good: domain({ launchSecurity: sev, firmware: { bootloader: { efi: { secureBoot: false, persistent: true } } } }),
    },
    {
      rule: 'attestation needs a paused start',
      bad: domain({ launchSecurity: { sev: { attestation: {} } }, firmware: plainEfi }),
      causes: [invalid(SECURITY, "SEV attestation requires VMI StartStrategy 'Paused'")],
      good: {
        ...domain({ launchSecurity: { sev: { attestation: {} } }, firmware: plainEfi }),
        startStrategy: 'Paused',
      },
    },
    {
      rule: 'a shielded guest does not boot from the network',
      bad: shieldedWithNic({ bootOrder: 1 }),
      causes: [invalid(SECURITY, 'SEV does not work with bootable NICs: default')],
      good: shieldedWithNic({}),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad, tdxGate)).toEqual(causes);
    expect(judge(good, tdxGate)).toEqual([]);
  });

  it('keeps TDX behind its gate and without system management mode, but lets it boot securely', () => {
    const tdx = domain({ launchSecurity: { tdx: {} }, firmware: { bootloader: { efi: {} } } });
    const managed = domain({ launchSecurity: { tdx: {} }, firmware: plainEfi, features: { smm: {} } });

    expect(judge(tdx)).toEqual([
      invalid(SECURITY, 'WorkloadEncryptionTDX feature gate is not enabled in kubevirt-config'),
    ]);
    expect(judge(tdx, tdxGate)).toEqual([]);
    expect(judge(managed, tdxGate)).toEqual([invalid(SECURITY, 'TDX does not work along with SMM')]);
  });

  it('keeps SEV behind its gate, which can be closed', () => {
    const shielded = domain({ launchSecurity: sev, firmware: plainEfi });

    expect(judge(shielded, { disabledFeatureGates: ['WorkloadEncryptionSEV'] })).toEqual([
      invalid(SECURITY, 'WorkloadEncryptionSEV feature gate is not enabled in kubevirt-config'),
    ]);
  });
});

function shieldedWithNic(nic: Parameters<typeof withInterface>[0]): VirtualMachineInstanceSpec {
  const parts = withInterface(nic);
  return { ...parts, domain: { ...parts.domain, launchSecurity: { sev: {} }, firmware: plainEfi } };
}

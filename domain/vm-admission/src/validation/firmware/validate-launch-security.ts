import type { LaunchSecurity } from '@smalt/vm-api';

import { forbidden, invalid, type Cause } from '../../cause.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import type { SpecScope } from '../spec-rule.ts';
import { hasSystemManagementMode } from './validate-firmware.ts';

type Shield = 'SEV' | 'SNP' | 'TDX';

/** A guest that is shielded from its host is shielded in one way, and asks for nothing that this way cannot do. */
export function validateLaunchSecurity(scope: SpecScope): readonly Cause[] {
  const { path, spec, settings } = scope;
  const { launchSecurity } = spec.domain;
  // On s390x there is one way, and it asks for nothing else.
  if (launchSecurity === undefined || spec.architecture === 's390x') return [];
  if (spec.architecture !== 'amd64') {
    const message = `No launchSecurity support for architecture: ${spec.architecture ?? ''}`;
    return [invalid(`${path}.architecture`, message)];
  }
  const field = `${path}.launchSecurity`;
  const [shield, ...others] = shieldsOf(launchSecurity);
  if (shield === undefined || others.length > 0) {
    return [forbidden(field, 'One and only one launchSecurity type can be set')];
  }
  const gate = shield === 'TDX' ? 'WorkloadEncryptionTDX' : 'WorkloadEncryptionSEV';
  if (!isGateOpen(settings, gate)) {
    return [invalid(field, `${gate} feature gate is not enabled in kubevirt-config`, gateAdvice(gate))];
  }
  return conflicts(scope, shield).map((message) => invalid(field, message, `See ${path}.domain.launchSecurity.`));
}

function shieldsOf({ sev, snp, tdx }: LaunchSecurity): readonly Shield[] {
  return [
    ...(sev === undefined ? [] : (['SEV'] as const)),
    ...(snp === undefined ? [] : (['SNP'] as const)),
    ...(tdx === undefined ? [] : (['TDX'] as const)),
  ];
}

function conflicts({ spec }: SpecScope, shield: Shield): readonly string[] {
  const { features, firmware, devices, launchSecurity } = spec.domain;
  const attests = launchSecurity?.sev?.attestation !== undefined;
  return [
    ...(shield === 'TDX' && hasSystemManagementMode(features) ? ['TDX does not work along with SMM'] : []),
    ...firmwareConflicts(firmware?.bootloader?.efi, shield),
    ...(attests && spec.startStrategy !== 'Paused' ? ["SEV attestation requires VMI StartStrategy 'Paused'"] : []),
    ...(devices.interfaces ?? [])
      .filter(({ bootOrder }) => bootOrder !== undefined)
      .map(({ name }) => `${shield} does not work with bootable NICs: ${name}`),
  ];
}

function firmwareConflicts(
  efi: { readonly secureBoot?: boolean; readonly persistent?: boolean } | undefined,
  shield: Shield,
): readonly string[] {
  if (efi === undefined) return [`${shield} requires OVMF (UEFI)`];
  const refusesSecureBoot = shield !== 'TDX' && efi.secureBoot !== false;
  const refusesPersistence = shield !== 'SEV' && efi.persistent === true;
  return [
    ...(refusesSecureBoot ? [`${shield} does not work along with SecureBoot`] : []),
    ...(refusesPersistence ? [`${shield} does not work along with Persistent EFI variables`] : []),
  ];
}

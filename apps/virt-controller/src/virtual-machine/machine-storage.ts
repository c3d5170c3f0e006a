import type { VirtualMachine } from '@smalt/vm-api';
import type { StorageFacts } from '@smalt/vm-lifecycle';

import { claimKeys } from '../instance/claim-names.ts';
import type { VolumeClaim } from '../kinds/volume-claim.ts';

/** Looks up the claims of a virtual machine. Those that its DataVolume templates name hold up its start until they exist. */
export function machineStorage(
  { metadata, spec }: VirtualMachine,
  findClaim: (key: string) => VolumeClaim | undefined,
): StorageFacts {
  const claims = claimKeys(metadata.namespace, spec.template.spec?.volumes).flatMap((key) => findClaim(key) ?? []);
  const isProvisioning = missingTemplates({ metadata, spec }, findClaim).length > 0;
  return {
    dataVolumes: isProvisioning ? 'provisioning' : 'ready',
    hasUnboundClaim: claims.some(({ status }) => status?.phase !== 'Bound'),
  };
}

/** The names in `spec.dataVolumeTemplates` for which there is no claim yet. */
export function missingTemplates(
  { metadata, spec }: Pick<VirtualMachine, 'metadata' | 'spec'>,
  findClaim: (key: string) => VolumeClaim | undefined,
): readonly string[] {
  const names = (spec.dataVolumeTemplates ?? []).flatMap((template) => template?.metadata?.name ?? []);
  return names.filter((name) => findClaim(`${metadata.namespace ?? ''}/${name}`) === undefined);
}

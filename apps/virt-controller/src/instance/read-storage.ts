import type { PersistentVolumeClaimInfo, VirtualMachineInstance } from '@smalt/vm-api';
import type { InstanceStorage } from '@smalt/vm-lifecycle';

import type { VolumeClaim } from '../kinds/volume-claim.ts';
import { claimNameOf } from './claim-names.ts';

/** Looks up the claims that the volumes of an instance take their data from, by `namespace/name`. */
export function readStorage(
  { metadata, spec }: VirtualMachineInstance,
  findClaim: (key: string) => VolumeClaim | undefined,
): InstanceStorage {
  const claims = new Map<string, PersistentVolumeClaimInfo>();
  const missing = new Set<string>();
  for (const volume of spec.volumes ?? []) {
    const claimName = claimNameOf(volume);
    // What is plugged in while it runs does not hold up its start.
    const isOptional = volume.persistentVolumeClaim?.hotpluggable === true || volume.dataVolume?.hotpluggable === true;
    if (claimName === undefined) continue;
    const claim = findClaim(`${metadata.namespace ?? ''}/${claimName}`);
    if (claim !== undefined) claims.set(volume.name, claimInfo(claimName, claim));
    else if (!isOptional) missing.add(claimName);
  }
  return { dataVolumes: 'ready', missingClaims: [...missing], claims };
}

/** The volumes whose claims are block devices. */
export function blockVolumes({ claims }: InstanceStorage): ReadonlySet<string> {
  return new Set([...claims].filter(([, { volumeMode }]) => volumeMode === 'Block').map(([name]) => name));
}

function claimInfo(claimName: string, { spec, status }: VolumeClaim): PersistentVolumeClaimInfo {
  const accessModes = status?.accessModes ?? spec.accessModes;
  const requests = spec.resources?.requests;
  return {
    claimName,
    ...(accessModes === undefined ? {} : { accessModes }),
    ...(status?.capacity === undefined ? {} : { capacity: status.capacity }),
    ...(requests === undefined ? {} : { requests }),
    volumeMode: spec.volumeMode ?? 'Filesystem',
  };
}

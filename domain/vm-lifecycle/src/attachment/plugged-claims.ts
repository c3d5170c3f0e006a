import type { VirtualMachineInstance, Volume } from '@smalt/vm-api';

/** A volume of a claim that is plugged in while the guest runs. */
export interface PluggedClaim {
  readonly volumeName: string;
  readonly claimName: string;
}

/** Whether a volume may be plugged in and out while the guest runs. */
function isPlugged({ persistentVolumeClaim, dataVolume }: Volume): boolean {
  return persistentVolumeClaim?.hotpluggable === true || dataVolume?.hotpluggable === true;
}

/** The claims that an instance wants plugged in. That of a DataVolume has the same name. */
export function pluggedClaims({ spec }: Pick<VirtualMachineInstance, 'spec'>): readonly PluggedClaim[] {
  return (spec.volumes ?? []).filter(isPlugged).flatMap(({ name, persistentVolumeClaim, dataVolume }) => {
    const claimName = persistentVolumeClaim?.claimName ?? dataVolume?.name;
    return claimName === undefined ? [] : [{ volumeName: name, claimName }];
  });
}

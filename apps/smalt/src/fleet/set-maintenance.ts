import { MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';
import { isConflict, type ResourceClient } from '@smalt/kube';

import { SmaltError } from '../smalt-error.ts';

/** How a host is to be, and why. */
export interface WantedMaintenance {
  readonly host: string;
  readonly isOn: boolean;
  readonly reason: string;
}

/** Others write hosts every few seconds; who loses this often in a row has another problem. */
const ATTEMPTS = 10;

/** Sets maintenance of a host as it is at that moment: what the HA service has set meanwhile is never written over. */
export async function setMaintenance(
  hosts: Pick<ResourceClient<Hypervisor>, 'get' | 'patch'>,
  wanted: WantedMaintenance,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const known = await hosts.get(wanted.host, { signal });
    const spec = maintenanceSpec(known, wanted);
    const { resourceVersion } = known.metadata;
    try {
      await hosts.patch(wanted.host, 'merge', { metadata: { resourceVersion }, spec }, { signal });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

function maintenanceSpec({ spec, metadata }: Hypervisor, { isOn, reason }: WantedMaintenance): object {
  const { maintenance = MaintenanceMode.unset } = spec ?? {};
  if (maintenance === MaintenanceMode.ha || maintenance === MaintenanceMode.termination) {
    const who = maintenance === MaintenanceMode.ha ? 'the HA service' : 'the end of its node';
    const next = maintenance === MaintenanceMode.ha ? 'smalt ha incidents shows why' : 'its node is being removed';
    throw new SmaltError('refused', `${metadata.name} is in maintenance by ${who}: ${next}`);
  }
  return isOn
    ? { maintenance: MaintenanceMode.manual, maintenanceReason: reason }
    : { maintenance: MaintenanceMode.unset, maintenanceReason: '' };
}

import type { HostIdentity } from '@smalt/compute';
import type { Hypervisor } from '@smalt/fleet-api';

/** The ids of a hypervisor at the compute system; undefined until both are known. */
export function hostIdentity({ status }: Hypervisor): HostIdentity | undefined {
  const { hypervisorId = '', serviceId = '' } = status ?? {};
  return hypervisorId === '' || serviceId === '' ? undefined : { hypervisorId, serviceId };
}

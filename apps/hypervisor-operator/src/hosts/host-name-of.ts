import type { Hypervisor } from '@smalt/fleet-api';

const HOSTNAME_LABEL = 'kubernetes.io/hostname';

/** The name under which the compute system should know a host: that of its label, else that of its Hypervisor. */
export function hostNameOf({ metadata }: Pick<Hypervisor, 'metadata'>): string {
  return metadata.labels?.[HOSTNAME_LABEL] || metadata.name;
}

import type { DomainEventOptions } from '@smalt/libvirt';

/** The events after which a domain may have another name, state, memory, vCPUs or place than before. */
export const EVENT_KINDS: NonNullable<DomainEventOptions['kinds']> = [
  'lifecycle',
  'tunable',
  'device-added',
  'device-removed',
  'memory-device-size-change',
  'vcpu-removed',
];

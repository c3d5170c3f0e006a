import type { DomainInput } from '../domain-step.ts';
import { architectureOf } from './architecture.ts';

/** The model of virtio devices: the newest virtio, unless the instance or the machine wants another. */
export function virtioModel({ instance, style }: DomainInput): string {
  // A channel of s390x is no PCI bus, and has one generation only.
  if (!style.hasVirtioGenerations || architectureOf(instance).name === 's390x') return 'virtio';
  return instance.spec.domain.devices.useVirtioTransitional === true
    ? 'virtio-transitional'
    : 'virtio-non-transitional';
}

/** What the driver of a virtio device has to know when the host cannot read the memory of the guest. */
export function virtioGuard({ instance }: DomainInput): { readonly iommu: 'on' | undefined } {
  return { iommu: instance.spec.domain.launchSecurity === undefined ? undefined : 'on' };
}

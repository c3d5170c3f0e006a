import { guestMemoryOf, rootStep, type DomainStep } from '@smalt/domain-xml';
import { element } from '@smalt/xml';

/** The memory of the guest; libvirt's driver has no way to make it grow. */
export const fixedMemoryStep: DomainStep = rootStep('fixed-memory', ({ instance }) => [
  element('memory', { unit: 'b' }, [String(guestMemoryOf(instance).guestBytes)]),
]);

import { element } from '@smalt/xml';

import { rootStep, type DomainStep } from '../domain-step.ts';
import { guestMemoryOf } from '../shape/guest-memory.ts';

/** How much memory the guest has, and how far it can grow. */
export const memoryStep: DomainStep = rootStep('memory', ({ instance }) => {
  const { guestBytes, maxBytes } = guestMemoryOf(instance);
  return [
    // One slot: the memory that is plugged in is one virtio-mem device that grows and shrinks.
    ...(maxBytes === undefined ? [] : [element('maxMemory', { slots: 1, unit: 'b' }, [String(maxBytes)])]),
    element('memory', { unit: 'b' }, [String(guestBytes)]),
  ];
});

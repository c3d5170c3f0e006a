import { element } from '@smalt/xml';

import { rootStep, type DomainStep } from '../domain-step.ts';
import { guestMemoryOf } from '../shape/guest-memory.ts';

/** Where the memory of the guest comes from: huge pages, memory that virtiofsd can share, memory that is never merged. */
export const memoryBackingStep: DomainStep = rootStep('memory-backing', ({ instance }) => {
  const { devices, cpu } = instance.spec.domain;
  const { hugepageBytes } = guestMemoryOf(instance);
  const isShared = (devices.filesystems ?? []).length > 0;
  const isRealtime = cpu?.realtime !== undefined;
  const isFile = hugepageBytes !== undefined || isShared;
  if (!isFile && !isRealtime) return [];
  const page = element('page', { size: hugepageBytes, unit: 'b' });
  return [
    element('memoryBacking', {}, [
      hugepageBytes === undefined ? undefined : element('hugepages', {}, [page]),
      isRealtime ? element('nosharepages') : undefined,
      isRealtime ? element('locked') : undefined,
      isFile ? element('source', { type: 'memfd' }) : undefined,
      isShared ? element('access', { mode: 'shared' }) : undefined,
    ]),
  ];
});

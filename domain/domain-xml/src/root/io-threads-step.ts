import { element } from '@smalt/xml';

import { planIoThreads } from '../disks/plan-io-threads.ts';
import { rootStep, type DomainStep } from '../domain-step.ts';

/** How many threads serve disks. */
export const ioThreadsStep: DomainStep = rootStep('io-threads', ({ instance }) => {
  const { count } = planIoThreads(instance);
  return count === 0 ? [] : [element('iothreads', {}, [String(count)])];
});

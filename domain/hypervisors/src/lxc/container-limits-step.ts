import { guestMemoryOf, rootStep, topologyOf, type DomainStep } from '@smalt/domain-xml';
import { element } from '@smalt/xml';

const CPU_PERIOD_MICROSECONDS = 100_000;

/** How much memory and time the container gets: its own processors, or the time of as many. */
export const containerLimitsStep: DomainStep = rootStep('container-limits', ({ instance, context }) => {
  const { count } = topologyOf(instance);
  const isDedicated = instance.spec.domain.cpu?.dedicatedCpuPlacement === true;
  const cpuset = isDedicated ? context.dedicatedCpus?.join(',') : undefined;
  const quota = count * CPU_PERIOD_MICROSECONDS;
  return [
    element('memory', { unit: 'b' }, [String(guestMemoryOf(instance).guestBytes)]),
    element('vcpu', { placement: 'static', cpuset }, [String(count)]),
    element('cputune', {}, [
      element('period', {}, [String(CPU_PERIOD_MICROSECONDS)]),
      element('quota', {}, [String(quota)]),
    ]),
  ];
});

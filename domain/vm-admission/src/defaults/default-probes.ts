import type { Probe, VirtualMachineInstanceSpec } from '@smalt/vm-api';

/** How often probes are made and how many count, where they do not say or say nonsense. */
export function defaultProbes(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { readinessProbe, livenessProbe } = spec;
  return {
    ...spec,
    ...(readinessProbe === undefined ? {} : { readinessProbe: withTimes(readinessProbe) }),
    ...(livenessProbe === undefined ? {} : { livenessProbe: withTimes(livenessProbe) }),
  };
}

function withTimes(probe: Probe): Probe {
  return {
    ...probe,
    timeoutSeconds: atLeastOne(probe.timeoutSeconds, 1),
    periodSeconds: atLeastOne(probe.periodSeconds, 10),
    successThreshold: atLeastOne(probe.successThreshold, 1),
    failureThreshold: atLeastOne(probe.failureThreshold, 3),
  };
}

function atLeastOne(value: number | undefined, otherwise: number): number {
  return value === undefined || value < 1 ? otherwise : value;
}

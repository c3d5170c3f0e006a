import { compareQuantities, parseQuantity, quantitySign } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { readAmount, resourceAmounts } from '../resource-amounts.ts';
import { changeDomain } from './change-domain.ts';

const USUAL_CPU_REQUEST = parseQuantity('100m');

/** The request for processor time: as much as the limit, else what the cluster asks for every instance. */
export function defaultResourceRequests(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  const { requestedCpu, limitedCpu } = resourceAmounts(spec);
  const limit = spec.domain.resources?.limits?.['cpu'];
  if (limit !== undefined && quantitySign(limitedCpu) !== 0 && quantitySign(requestedCpu) === 0) {
    return withCpuRequest(spec, limit);
  }
  const isRequested = spec.domain.resources?.requests?.['cpu'] !== undefined;
  // Dedicated processors are counted from the topology, so a request from here would contradict them.
  const isDedicated = spec.domain.cpu?.dedicatedCpuPlacement === true;
  return isUsual(settings) || isRequested || isDedicated ? spec : withCpuRequest(spec, settings.cpuRequest);
}

// The usual request is worked out from the number of processors when the pod is made.
function isUsual(settings: ClusterSettings): boolean {
  const request = readAmount(settings.cpuRequest);
  return request === undefined || compareQuantities(request, USUAL_CPU_REQUEST) === 0;
}

function withCpuRequest(spec: VirtualMachineInstanceSpec, cpu: number | string): VirtualMachineInstanceSpec {
  const { resources } = spec.domain;
  return changeDomain(spec, { resources: { ...resources, requests: { ...resources?.requests, cpu } } });
}

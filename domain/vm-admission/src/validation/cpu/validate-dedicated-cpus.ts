import { compareQuantities, quantitySign, quantityValue, scaleQuantity, type Quantity } from '@smalt/quantity';

import { invalid, type Cause } from '../../cause.ts';
import { resourceAmounts, type ResourceAmounts } from '../../resource-amounts.ts';
import { virtualProcessors } from '../../virtual-processors.ts';
import type { SpecRule, SpecScope } from '../spec-rule.ts';

const MILLI = -3;

/** Processors of its own for each of the guest's can only be had in whole numbers, and with memory to match. */
export function validateDedicatedCpus(scope: SpecScope): readonly Cause[] {
  if (scope.spec.domain.cpu?.dedicatedCpuPlacement !== true) return [];
  return DEDICATED_RULES.flatMap((rule) => rule(scope));
}

const DEDICATED_RULES: readonly SpecRule[] = [
  validateMemoryIsProvided,
  validateWholeCpus,
  validateMemoryIsGuaranteed,
  validateCpusAreProvided,
  validateCpusMatch,
  validateThreads,
];

function validateMemoryIsProvided({ path, spec }: SpecScope): readonly Cause[] {
  const { requestedMemory, limitedMemory, guestMemory } = resourceAmounts(spec);
  const amounts = [requestedMemory, limitedMemory, guestMemory];
  if (amounts.some((amount) => quantitySign(amount) !== 0) || spec.domain.memory?.hugepages !== undefined) return [];
  const { requests, limits } = fieldsOf(path, 'memory');
  const memory = `${path}.domain.memory`;
  return [invalid(limits, `${requests}, ${limits}, ${memory}.hugepages or ${memory}.guest should be provided`)];
}

function validateWholeCpus({ path, spec }: SpecScope): readonly Cause[] {
  const { requestedCpu, limitedCpu } = resourceAmounts(spec);
  const { requests, limits } = fieldsOf(path, 'cpu');
  // The spelling is that of the messages that clients know.
  return [
    ...(isWhole(requestedCpu) ? [] : [invalid(requests, 'provided resources CPU requests must be an interger')]),
    ...(isWhole(limitedCpu) ? [] : [invalid(limits, 'provided resources CPU limits must be an interger')]),
  ];
}

function validateMemoryIsGuaranteed({ path, spec }: SpecScope): readonly Cause[] {
  const { requestedMemory, limitedMemory } = resourceAmounts(spec);
  const { requests, limits } = fieldsOf(path, 'memory');
  const areGiven = quantitySign(requestedMemory) > 0 && quantitySign(limitedMemory) > 0;
  if (!areGiven || compareQuantities(requestedMemory, limitedMemory) === 0) return [];
  return [invalid(requests, `${requests} must be equal to ${limits}`)];
}

function validateCpusAreProvided({ path, spec }: SpecScope): readonly Cause[] {
  const { requestedCpu, limitedCpu } = resourceAmounts(spec);
  const amounts = [quantityValue(requestedCpu), quantityValue(limitedCpu)];
  if (amounts.some((amount) => amount !== 0n) || virtualProcessors(spec.domain.cpu) !== 0) return [];
  const { requests, limits } = fieldsOf(path, 'cpu');
  const message = `either ${requests} or ${limits} or ${path}.domain.cpu.cores must be provided when DedicatedCPUPlacement is true `;
  return [invalid(placementField(path), message)];
}

function validateCpusMatch({ path, spec }: SpecScope): readonly Cause[] {
  const amounts = resourceAmounts(spec);
  const { requests, limits } = fieldsOf(path, 'cpu');
  const requested = quantityValue(amounts.requestedCpu);
  const limited = quantityValue(amounts.limitedCpu);
  const causes: Cause[] = [];
  if (requested > 0n && limited > 0n && requested !== limited) {
    const message = `${requests} or ${limits} must be equal when DedicatedCPUPlacement is true `;
    causes.push(invalid(placementField(path), message));
  }
  if (contradictsTopology(amounts, virtualProcessors(spec.domain.cpu))) {
    const message = `${requests} or ${limits} must not be provided at the same time with ${path}.domain.cpu.cores when DedicatedCPUPlacement is true `;
    const advice = `The topology has ${virtualProcessors(spec.domain.cpu)} processors; ask for as many or leave the amounts out.`;
    causes.push(invalid(placementField(path), message, advice));
  }
  return causes;
}

function contradictsTopology({ requestedCpu, limitedCpu }: ResourceAmounts, processors: number): boolean {
  const amounts = [quantityValue(requestedCpu), quantityValue(limitedCpu)];
  const isGiven = amounts.some((amount) => amount > 0n);
  return isGiven && processors > 0 && !amounts.includes(BigInt(processors));
}

function validateThreads({ path, spec, settings }: SpecScope): readonly Cause[] {
  const threads = spec.domain.cpu?.threads ?? 0;
  const field = `${path}.domain.cpu.threads`;
  const isArm = (spec.architecture ?? settings.defaultArchitecture) === 'arm64';
  const causes: Cause[] = [];
  if (isArm && threads > 1) {
    const message = `threads must not be greater than 1 at ${field} (got ${threads}) when ${path}.architecture is arm64`;
    causes.push(invalid(`${path}.architecture`, message));
  }
  if (threads > 2) {
    const message = `Not more than two threads must be provided at ${field} (got ${threads}) when DedicatedCPUPlacement is true`;
    causes.push(invalid(placementField(path), message));
  }
  return causes;
}

function isWhole(amount: Quantity): boolean {
  return quantityValue(amount) <= 0n || quantityValue(amount) * 1000n === scaleQuantity(amount, MILLI);
}

function placementField(path: string): string {
  return `${path}.domain.cpu.dedicatedCpuPlacement`;
}

function fieldsOf(path: string, resource: 'cpu' | 'memory'): { readonly requests: string; readonly limits: string } {
  const resources = `${path}.domain.resources`;
  return { requests: `${resources}.requests.${resource}`, limits: `${resources}.limits.${resource}` };
}

import { formatQuantity, quantityOfInteger, quantityValue } from '@smalt/quantity';
import type { CPU, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { readAmount } from '../resource-amounts.ts';
import { memoryGrowthProblem } from '../validation/memory/memory-growth-problem.ts';
import { changeDomain } from './change-domain.ts';

/** Machine types end at different numbers of processors; this is the least that all of them have. */
const MAX_PROCESSORS = 512;

/** How far the guest can grow while it runs. Guests of arm64 cannot. */
export function defaultHotplugLimits(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): VirtualMachineInstanceSpec {
  if (settings.rolloutStrategy !== 'LiveUpdate' || spec.architecture === 'arm64') return spec;
  return withMaxGuest(withMaxSockets(spec, settings), settings);
}

function withMaxSockets(spec: VirtualMachineInstanceSpec, settings: ClusterSettings): VirtualMachineInstanceSpec {
  const { cpu } = spec.domain;
  if (cpu === undefined || (cpu.maxSockets ?? 0) !== 0) return spec;
  const maxSockets = maxSocketsOf(cpu, settings);
  return maxSockets === 0 ? spec : changeDomain(spec, { cpu: { ...cpu, maxSockets } });
}

function maxSocketsOf(cpu: CPU, { liveUpdate }: ClusterSettings): number {
  const { sockets = 0, cores = 0, threads = 0 } = cpu;
  const { maxCpuSockets = 0, maxHotplugRatio } = liveUpdate;
  if (maxCpuSockets !== 0) return Math.max(maxCpuSockets, sockets);
  const wanted = sockets * maxHotplugRatio;
  if (wanted * cores * threads <= MAX_PROCESSORS) return wanted;
  return Math.max(Math.floor(MAX_PROCESSORS / (cores * threads)), sockets);
}

function withMaxGuest(spec: VirtualMachineInstanceSpec, settings: ClusterSettings): VirtualMachineInstanceSpec {
  const { memory } = spec.domain;
  if (memory === undefined || memory.maxGuest !== undefined) return spec;
  const maxGuest = settings.liveUpdate.maxGuest ?? multipleOf(memory.guest, settings.liveUpdate.maxHotplugRatio);
  // A guest whose memory cannot grow is a guest like any other; it only gets no room to grow.
  if (maxGuest === undefined || memoryGrowthProblem(spec, maxGuest) !== undefined) return spec;
  return changeDomain(spec, { memory: { ...memory, maxGuest } });
}

function multipleOf(guest: number | string | undefined, ratio: number): string | undefined {
  const amount = readAmount(guest);
  if (amount === undefined) return undefined;
  return formatQuantity(quantityOfInteger(quantityValue(amount) * BigInt(ratio), 'BinarySI'));
}

import { quantityValue } from '@smalt/quantity';
import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { readAmount } from '../resource-amounts.ts';
import { virtualProcessors } from '../virtual-processors.ts';
import { changeDomain } from './change-domain.ts';

/** As many sockets as whole processors are in the limit or the request, where no topology is asked for. */
export function defaultCpuTopology(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  if (virtualProcessors(spec.domain.cpu) !== 0) return spec;
  return changeDomain(spec, { cpu: { ...spec.domain.cpu, sockets: socketsFor(spec), cores: 1, threads: 1 } });
}

function socketsFor(spec: VirtualMachineInstanceSpec): number {
  const { requests, limits } = spec.domain.resources ?? {};
  const amount = readAmount(limits?.['cpu'] ?? requests?.['cpu']);
  if (amount === undefined) return 1;
  // A guest has a processor, whatever is asked for; amounts below zero are refused later.
  const sockets = Number(quantityValue(amount));
  return sockets < 1 ? 1 : Math.min(sockets, 2 ** 32 - 1);
}

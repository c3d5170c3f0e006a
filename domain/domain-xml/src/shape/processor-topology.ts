import { parseQuantity, quantityValue } from '@smalt/quantity';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { DomainXmlError } from '../domain-xml-error.ts';

export interface ProcessorTopology {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
  /** With those that can be plugged in. */
  readonly maxSockets: number;
  /** The processors that run. */
  readonly count: number;
  readonly maxCount: number;
}

/** The processors of an instance: from `cpu`, or as many sockets as `resources` ask for. */
export function topologyOf({ spec: { domain } }: VirtualMachineInstance): ProcessorTopology {
  const { cpu } = domain;
  const isSet = cpu?.sockets !== undefined || cpu?.cores !== undefined || cpu?.threads !== undefined;
  const asked = domain.resources?.limits?.['cpu'] ?? domain.resources?.requests?.['cpu'];
  const sockets = isSet || asked === undefined ? positive(cpu?.sockets, 'sockets') : wholeCpus(asked);
  const cores = positive(cpu?.cores, 'cores');
  const threads = positive(cpu?.threads, 'threads');
  const isFixed = cpu?.numa?.guestMappingPassthrough !== undefined || domain.devices.disableHotplug === true;
  const maxSockets = isFixed ? sockets : Math.max(sockets, cpu?.maxSockets ?? sockets);
  return {
    sockets,
    cores,
    threads,
    maxSockets,
    count: sockets * cores * threads,
    maxCount: maxSockets * cores * threads,
  };
}

function positive(value: number | undefined, name: string): number {
  if (value === undefined || value === 0) return 1;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new DomainXmlError('invalid-field', `${value} must be a number from 1`, { field: `spec.domain.cpu.${name}` });
}

function wholeCpus(value: number | string): number {
  return Math.max(1, Number(quantityValue(parseQuantity(String(value)))));
}

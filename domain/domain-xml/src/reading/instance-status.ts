import { formatQuantity, quantityOfInteger } from '@smalt/quantity';
import {
  canonicalMac,
  type VirtualMachineInstance,
  type VirtualMachineInstanceNetworkInterface,
  type VirtualMachineInstanceStatus,
} from '@smalt/vm-api';

import type { DomainReport, ReportedInterface } from './domain-report.ts';

/** The part of an instance's status that its domain tells. */
export type DomainStatus = Pick<
  VirtualMachineInstanceStatus,
  'machine' | 'currentCPUTopology' | 'memory' | 'interfaces' | 'VSOCKCID'
>;

/**
 * The part of an instance's status that its domain tells. What was known before and is not in the domain, the address
 * by the guest agent for one, is left to others to merge in.
 */
export function instanceStatus(domain: DomainReport, instance: VirtualMachineInstance): DomainStatus {
  const { cores, threads, count } = domain.processors;
  const guestCurrent = formatQuantity(quantityOfInteger(domain.memory.currentBytes, 'BinarySI'));
  return {
    ...(domain.machineType === undefined ? {} : { machine: { type: domain.machineType } }),
    currentCPUTopology: { cores, sockets: Math.max(1, Math.floor(count / (cores * threads))), threads },
    memory: { ...instance.status?.memory, guestCurrent },
    interfaces: namedInterfaces(domain, instance),
    ...(domain.vsockCid === undefined ? {} : { VSOCKCID: domain.vsockCid }),
  };
}

/** The target device of each disk by its name in the instance: where `volumeStatus` says the guest sees it. */
export function diskTargets(domain: DomainReport, instance: VirtualMachineInstance): ReadonlyMap<string, string> {
  const asked = instance.spec.domain.devices.disks ?? [];
  return new Map(
    domain.disks.flatMap(({ name, target }, index) => {
      // Some hypervisors forget names; their disks are those of the instance in the same order.
      const known = name ?? asked[index]?.name;
      return known === undefined ? [] : [[known, target]];
    }),
  );
}

function namedInterfaces(
  domain: DomainReport,
  instance: VirtualMachineInstance,
): readonly VirtualMachineInstanceNetworkInterface[] {
  const cards = (instance.spec.domain.devices.interfaces ?? []).filter(({ state }) => state !== 'absent');
  const nameOf = (reported: ReportedInterface, index: number): string | undefined =>
    reported.name ?? cards.find(({ macAddress }) => isSameMac(macAddress, reported.mac))?.name ?? cards[index]?.name;
  return domain.interfaces.map((reported, index) => {
    const name = nameOf(reported, index);
    return {
      ...(name === undefined ? {} : { name }),
      ...(reported.mac === undefined ? {} : { mac: reported.mac }),
      infoSource: 'domain',
      queueCount: reported.queues,
      linkState: reported.linkState,
    };
  });
}

function isSameMac(left = '', right = ''): boolean {
  const mac = canonicalMac(left);
  return mac !== undefined && mac === canonicalMac(right);
}

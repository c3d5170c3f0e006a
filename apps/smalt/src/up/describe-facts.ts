import type { HostFacts } from './host-facts.ts';

/** The facts as rows of a table, in the order a person asks for them. */
export function describeFacts(facts: HostFacts): readonly (readonly [string, string])[] {
  const { sockets, cores, threads } = facts;
  return [
    ['host', facts.hostname],
    ['connection', facts.uri],
    ['libvirt', facts.libvirtVersion],
    ['hypervisor', `${facts.driver} ${facts.driverVersion}`],
    ['virtualization', facts.hasKvm ? 'hardware (KVM)' : 'emulation: this machine has no /dev/kvm, guests run slowly'],
    ['architecture', facts.architecture],
    [
      'processors',
      `${facts.processors} (per NUMA cell ${count(sockets, 'socket')}, ${count(cores, 'core')}, ${count(threads, 'thread')})`,
    ],
    ['memory', `${(facts.memoryMiB / 1024).toFixed(1)} GiB`],
    ['NUMA cells', String(facts.numaCells)],
    ['domains', `${facts.runningDomains} running, ${facts.knownDomains} in all`],
  ];
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

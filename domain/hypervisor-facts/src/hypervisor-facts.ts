import type { DomainCapabilities, HypervisorStatus, Instance } from '@smalt/fleet-api';

import type { DomainUse } from './domain-use.ts';
import { formatVersion } from './format-version.ts';
import type { HostCapabilities } from './host-capabilities.ts';
import { instances } from './instances.ts';
import { bytesOf, hostTotal, quantities, sumUp } from './sum-up.ts';

/** A domain, and what it takes as far as that is known yet. */
export interface DomainFacts extends Instance {
  readonly use?: DomainUse | undefined;
}

/** All that libvirt told about a host. What is not known is left out, and then also in the status. */
export interface HypervisorSources {
  /** Packed into one number, as libvirt tells it. */
  readonly libvirtVersion?: bigint | number | undefined;
  readonly hypervisorVersion?: bigint | number | undefined;
  readonly host?: HostCapabilities | undefined;
  readonly domainCapabilities?: DomainCapabilities | undefined;
  readonly domains: readonly DomainFacts[];
  /** `spec.overcommit` of the Hypervisor. */
  readonly overcommit?: Readonly<Record<string, number>> | undefined;
}

export interface HypervisorFacts {
  /** The part of the status that libvirt knows about. The same sources give the same fields, in any order. */
  readonly fields: Partial<Omit<HypervisorStatus, 'conditions'>>;
  /** What was odd, for the log: of the host, of the overcommit, and of domains with their names. */
  readonly notes: readonly string[];
}

/** The status of a Hypervisor as far as libvirt tells it. */
export function hypervisorFacts(sources: HypervisorSources): HypervisorFacts {
  const { host, domains, libvirtVersion, hypervisorVersion, domainCapabilities, overcommit } = sources;
  const uses = domains.flatMap(({ use }) => use ?? []);
  const sums = host && sumUp({ host, domains: uses, overcommit });
  const ordered = instances(domains);
  return {
    fields: {
      ...(libvirtVersion !== undefined && { libVirtVersion: formatVersion(libvirtVersion) }),
      ...(hypervisorVersion !== undefined && { hypervisorVersion: formatVersion(hypervisorVersion) }),
      ...(host && { capabilities: capabilities(host) }),
      ...(domainCapabilities && { domainCapabilities }),
      instances: ordered,
      numInstances: ordered.length,
      ...sums?.fields,
    },
    notes: [...(host?.notes ?? []), ...(sums?.notes ?? []), ...domainNotes(domains)],
  };
}

function capabilities(host: HostCapabilities): NonNullable<HypervisorStatus['capabilities']> {
  const total = hostTotal(host);
  const { memory, cpu } = quantities(bytesOf(total), BigInt(total.cpus));
  return { cpuArch: host.cpuArch, memory, cpus: cpu };
}

function domainNotes(domains: readonly DomainFacts[]): readonly string[] {
  return domains.flatMap(({ name, use }) => (use?.notes ?? []).map((note) => `domain ${name}: ${note}`)).toSorted();
}

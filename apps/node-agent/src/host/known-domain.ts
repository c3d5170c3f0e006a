import type { DomainUse } from '@smalt/hypervisor-facts';
import type { Domain } from '@smalt/libvirt';

/** What one call for the statistics of all domains tells about one of them, as far as the daemon tells it. */
export interface DomainSigns {
  readonly vcpus?: number | undefined;
  readonly maxVcpus?: number | undefined;
  readonly memoryKiB?: number | undefined;
}

/** What is kept of a domain: a few numbers, and nothing of its XML. */
export interface KnownDomain {
  readonly uuid: string;
  readonly name: string;
  /** libvirt's number of a running domain, -1 when it does not run. */
  readonly id: number;
  readonly use: DomainUse;
  /** What the last poll saw; nothing if the domain was read after it. */
  readonly signs?: DomainSigns | undefined;
}

/** A domain that does not answer: it is there as the daemon listed it, and takes what it took before, as far as known. */
export function withoutAnswer(known: KnownDomain | undefined, listed: Domain, reason: string): KnownDomain {
  const { uuid, name, id } = listed;
  const { memoryKiB = 0, vcpus = 0, cells = [] } = known?.use ?? {};
  return { uuid, name, id, use: { memoryKiB, vcpus, cells, notes: [`its description cannot be had: ${reason}`] } };
}

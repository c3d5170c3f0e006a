import type { ObjectKey } from '@smalt/controller-runtime';
import type { DomainOwner, DomainReport } from '@smalt/domain-xml';
import type { Domain, LibvirtSession } from '@smalt/libvirt';

/** A domain of this node that belongs to an instance, as libvirt told it last. */
export interface KnownDomain {
  /** `namespace/name` of its instance. */
  readonly key: ObjectKey;
  readonly session: LibvirtSession;
  readonly domain: Domain;
  readonly owner: DomainOwner;
  /** What it is, in libvirt's words. */
  readonly text: string;
  readonly report: DomainReport;
  readonly state: DomainRunState;
}

/** libvirt's own numbers for what a domain does, and why. */
export interface DomainRunState {
  readonly state: number;
  readonly reason: number;
}

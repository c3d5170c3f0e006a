import { readDomain } from '@smalt/domain-xml';
import type { Domain, LibvirtSession } from '@smalt/libvirt';

import type { DomainRunState, KnownDomain } from './known-domain.ts';

export interface ToldDomain {
  readonly session: LibvirtSession;
  readonly domain: Domain;
  readonly text: string;
  readonly state: DomainRunState;
}

/** What libvirt tells of a domain, if it is that of an instance: other domains are nobody's business here. */
export function readKnownDomain({ session, domain, text, state }: ToldDomain): KnownDomain | undefined {
  const report = readDomain(text);
  const { owner } = report;
  if (owner?.uid === undefined) return undefined;
  return { key: `${owner.namespace}/${owner.name}`, session, domain, owner, text, report, state };
}

import type { Domain } from '@smalt/libvirt';

import type { DomainSigns, KnownDomain } from './known-domain.ts';

export interface DomainComparison {
  /** Those whose XML has to be read: new ones, and those that differ from what is known. */
  readonly changed: readonly Domain[];
  /** The UUIDs of those that are no more. */
  readonly gone: readonly string[];
}

/** Finds the domains that differ from what is known of them, by what a poll saw. What it did not see does not count. */
export function compareDomains(
  known: ReadonlyMap<string, KnownDomain>,
  listed: readonly Domain[],
  signs: ReadonlyMap<string, DomainSigns>,
): DomainComparison {
  const present = new Set(listed.map(({ uuid }) => uuid));
  return {
    changed: listed.filter((domain) => differs(known.get(domain.uuid), domain, signs.get(domain.uuid))),
    gone: [...known.keys()].filter((uuid) => !present.has(uuid)),
  };
}

function differs(known: KnownDomain | undefined, listed: Domain, signs: DomainSigns | undefined): boolean {
  if (known === undefined || known.name !== listed.name || known.id !== listed.id) return true;
  if (signs === undefined) return false;
  if (known.signs !== undefined) return !isSame(known.signs, signs);
  // Not polled since it was read: then its XML has to agree with the signs.
  const { use } = known;
  return isOther(use.memoryKiB, signs.memoryKiB) || isOther(use.vcpus, signs.vcpus);
}

function isSame(a: DomainSigns, b: DomainSigns): boolean {
  return !isOther(a.vcpus, b.vcpus) && !isOther(a.maxVcpus, b.maxVcpus) && !isOther(a.memoryKiB, b.memoryKiB);
}

/** A domain that is busy tells only some of its statistics. */
function isOther(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

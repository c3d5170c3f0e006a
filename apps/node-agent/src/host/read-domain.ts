import { readDomainUse, type DomainTotals, type HostCapabilities } from '@smalt/hypervisor-facts';
import { isConnectionLost, isNoDomain, type Domain, type LibvirtSession } from '@smalt/libvirt';

import type { KnownDomain } from './known-domain.ts';

/** What a domain is when nobody has told the host's cells yet: it counts in the totals alone. */
const NO_HOST: HostCapabilities = { cpuArch: 'unknown', cells: [], notes: [] };

type DomainCalls = Pick<LibvirtSession, 'domainGetXmlDesc' | 'domainGetInfo'>;

export interface DomainCallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export type ReadOutcome =
  | { readonly kind: 'read'; readonly domain: KnownDomain }
  | { readonly kind: 'gone' }
  /** The daemon tells nothing about it. */
  | { readonly kind: 'silent'; readonly reason: string };

/**
 * Reads one domain. One that the daemon cannot describe, or describes in an odd way, still counts, by the totals that
 * another call tells; its notes say so. Throws only when the connection is lost or the signal fires.
 */
export async function readDomain(
  session: DomainCalls,
  listed: Domain,
  host: HostCapabilities | undefined,
  options: DomainCallOptions,
): Promise<ReadOutcome> {
  try {
    const xml = await session.domainGetXmlDesc({ domain: listed }, options);
    const use = readDomainUse(xml, { host: host ?? NO_HOST });
    if (use.notes.length === 0) return { kind: 'read', domain: { ...named(listed, xml), use } };
    const totals = await readTotals(session, listed, options);
    return {
      kind: 'read',
      domain: { ...named(listed, xml), use: readDomainUse(xml, { host: host ?? NO_HOST, totals }) },
    };
  } catch (error) {
    if (isNoDomain(error)) return { kind: 'gone' };
    if (options.signal.aborted || isConnectionLost(error)) throw error;
    return await readWithoutXml(session, listed, error, options);
  }
}

async function readWithoutXml(
  session: DomainCalls,
  listed: Domain,
  error: unknown,
  options: DomainCallOptions,
): Promise<ReadOutcome> {
  const reason = error instanceof Error ? error.message : String(error);
  const totals = await readTotals(session, listed, options);
  if (totals === undefined) return { kind: 'silent', reason };
  const use = { ...totals, cells: [], notes: [`its description cannot be had: ${reason}`] };
  const { uuid, name, id } = listed;
  return { kind: 'read', domain: { uuid, name, id, use } };
}

/** Undefined if the daemon does not tell them either: then the notes say what is missing. */
async function readTotals(
  session: DomainCalls,
  domain: Domain,
  options: DomainCallOptions,
): Promise<DomainTotals | undefined> {
  try {
    const { maxMemory, virtualCpus } = await session.domainGetInfo({ domain }, options);
    return { memoryKiB: Number(maxMemory), vcpus: virtualCpus };
  } catch (error) {
    if (options.signal.aborted || isConnectionLost(error)) throw error;
    return undefined;
  }
}

/** The name and the number as the XML has them: it is newer than the list or the event that led to it. */
function named(listed: Domain, xml: string): { readonly uuid: string; readonly name: string; readonly id: number } {
  const root = /^\s*<domain\b(?<attributes>[^>]*)>/.exec(xml)?.groups?.['attributes'];
  if (root === undefined) return { uuid: listed.uuid, name: listed.name, id: listed.id };
  const id = /\sid=["'](?<id>\d+)["']/.exec(root)?.groups?.['id'];
  return { uuid: listed.uuid, name: nameIn(xml) ?? listed.name, id: id === undefined ? -1 : Number(id) };
}

/** Only a name without entities is taken from the text; a renamed domain with them is found by the next poll. */
function nameIn(xml: string): string | undefined {
  const name = /^\s*<domain\b[^>]*>\s*<name>(?<name>[^<&]*)<\/name>/.exec(xml)?.groups?.['name'];
  // A copy: a piece cut out of a text keeps all of the text in memory.
  return name === undefined ? undefined : Buffer.from(name).toString();
}

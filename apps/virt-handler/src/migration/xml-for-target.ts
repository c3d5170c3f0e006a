import { pinElsewhere } from '@smalt/domain-xml';
import { DomainXmlFlags, type Connection, type Domain } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { hasOwnProcessors, readProcessors } from './target-processors.ts';

/** How a domain is to be at the target, where it differs from what it is here. */
export interface TargetXml {
  readonly destination_xml: string;
  /** As it starts there next time. */
  readonly persistent_xml: string;
}

const WHOLE = DomainXmlFlags.migratable | DomainXmlFlags.secure;

/** The domain of a guest with processors of its own, on those that the target has set aside; undefined for other guests. */
export async function xmlForTarget(
  daemon: Pick<Connection, 'domainGetXmlDesc'>,
  domain: Domain,
  instance: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<TargetXml | undefined> {
  if (!hasOwnProcessors(instance)) return undefined;
  const context = readProcessors(instance.status?.migrationState ?? {});
  const pinned = async (flags: number): Promise<string> =>
    pinElsewhere(await daemon.domainGetXmlDesc({ domain, flags }, { signal }), { instance, context });
  return {
    destination_xml: await pinned(WHOLE),
    persistent_xml: await pinned(WHOLE | DomainXmlFlags.inactive),
  };
}

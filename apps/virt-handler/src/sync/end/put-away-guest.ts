import { DomainUndefineFlags as Flags, isLibvirtError, isNoDomain, isOperationInvalid } from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { InstanceNetworks } from '../../network/network-plugin.ts';
import type { InstanceVolumes } from '../../storage/volume-plugin.ts';
import { explainLibvirtFailure } from '../start/explain-libvirt-failure.ts';
import type { DomainCache } from '../domains/domain-cache.ts';
import type { KnownDomain } from '../domains/known-domain.ts';

export interface EndDeps {
  readonly volumes: InstanceVolumes;
  readonly networks: InstanceNetworks;
  readonly cache: Pick<DomainCache, 'refresh'>;
}

const ALL_OF_IT = Flags.managedSave | Flags.snapshotsMetadata | Flags.checkpointsMetadata | Flags.nvram;

/** Ends the process of a guest at once. One that has none any more is fine. */
export async function destroyGuest(
  deps: Pick<EndDeps, 'cache'>,
  known: KnownDomain,
  signal: AbortSignal,
): Promise<void> {
  const { session, domain } = known;
  try {
    await session.domainDestroy({ domain }, { signal });
  } catch (error) {
    if (!isNoDomain(error) && !isOperationInvalid(error))
      throw explainLibvirtFailure(error, 'the guest cannot be ended');
  }
  await deps.cache.refresh(known, signal);
}

/** Removes the definition of a domain that is off, and what libvirt keeps for it. */
export async function undefineDomain(
  deps: Pick<EndDeps, 'cache'>,
  known: KnownDomain,
  signal: AbortSignal,
): Promise<void> {
  const { session, domain } = known;
  try {
    await session.domainUndefineFlags({ domain, flags: ALL_OF_IT }, { signal }).catch(async (error: unknown) => {
      // Hypervisors that keep none of it do not know the flags.
      if (!isLibvirtError(error, 'invalid-arg')) throw error;
      await session.domainUndefine({ domain }, { signal });
    });
  } catch (error) {
    if (!isNoDomain(error)) throw explainLibvirtFailure(error, 'the domain cannot be removed');
  }
  await deps.cache.refresh(known, signal);
}

/** Takes back what was made on the node for an instance whose domain is gone. */
export async function takeBack(
  deps: EndDeps,
  { instance, directory }: { readonly instance: VirtualMachineInstance; readonly directory: string },
  signal: AbortSignal,
): Promise<void> {
  await deps.networks.disconnect(instance, signal);
  await deps.volumes.release({ instance, directory }, signal);
}

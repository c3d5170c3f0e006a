import { domainName, domainUuid } from '@smalt/domain-xml';
import {
  DomainRunningReason,
  DomainState,
  isLibvirtError,
  isNoDomain,
  type Connection,
  type Domain,
} from '@smalt/libvirt';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { whereaboutsOf, type Whereabouts } from './guest-whereabouts.ts';

/** What is asked of a daemon to find a guest. */
export type GuestLookup = Pick<Connection, 'domainLookupByName' | 'domainGetState'>;

export interface FoundGuest {
  readonly whereabouts: Whereabouts;
  /** Undefined when it is absent, or nobody answers. */
  readonly domain: Domain | undefined;
  /** Whether it runs here while half of it is still to come. */
  readonly isHalf?: boolean;
}

const LOOK_TIMEOUT_MS = 10_000;

/** Asks a daemon what it has of a guest. A domain of the same name with another id is somebody else. */
export async function lookForGuest(
  daemon: GuestLookup,
  instance: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<FoundGuest> {
  const options = { timeoutMs: LOOK_TIMEOUT_MS, signal };
  try {
    const domain = await daemon.domainLookupByName({ name: domainName(instance) }, options);
    const uuid = domainUuid(instance);
    if (uuid !== undefined && domain.uuid !== uuid) return { whereabouts: 'absent', domain: undefined };
    const found = await daemon.domainGetState({ domain }, options);
    const isHalf = found.state === DomainState.running && found.reason === DomainRunningReason.postcopy;
    return { whereabouts: whereaboutsOf(found), domain, isHalf };
  } catch (error) {
    signal.throwIfAborted();
    if (isNoDomain(error)) return { whereabouts: 'absent', domain: undefined };
    if (!isLibvirtError(error)) throw error;
    return { whereabouts: 'unreachable', domain: undefined };
  }
}

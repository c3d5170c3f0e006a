import type { Hypervisor } from '@smalt/hypervisors';

import type { HostCapabilities } from '../../hypervisor-sessions/read-host-capabilities.ts';
import type { ConnectedNetwork } from '../../network/network-plugin.ts';
import type { KnownDomain } from '../domains/known-domain.ts';
import type { GuestFacts } from '../guest/guest-facts.ts';

/** All that is known of a guest that has a process. */
export interface ObservedGuest {
  readonly hypervisor: Hypervisor;
  readonly domain: KnownDomain;
  readonly capabilities: HostCapabilities | undefined;
  readonly networks: readonly ConnectedNetwork[];
  /** What its agent told; undefined while there is none. */
  readonly guest: GuestFacts | undefined;
  /** What keeps plugged-in volumes from the guest, by the names of the volumes. */
  readonly volumeProblems: ReadonlyMap<string, string>;
  /** What is wrong about it although it runs. */
  readonly problem?: string | undefined;
}

import type { VirtualMachineInstanceGuestOSInfo } from '@smalt/vm-api';

/** What the agent inside a guest told. */
export interface GuestFacts {
  readonly os: VirtualMachineInstanceGuestOSInfo | undefined;
  readonly interfaces: readonly GuestInterface[];
}

/** A network interface as the guest sees it. */
export interface GuestInterface {
  readonly name: string;
  readonly mac: string | undefined;
  readonly addresses: readonly string[];
}

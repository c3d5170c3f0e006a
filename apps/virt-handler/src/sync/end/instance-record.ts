import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { Verdict } from '../decide/verdict.ts';

/** What is kept on the node of an instance whose guest is here, so that it can be put away when nobody else knows it. */
export interface InstanceRecord {
  readonly instance: VirtualMachineInstance;
  /** The pod that carries the guest. */
  readonly podUid: string;
  /** The boot of the node in which the guest was started. */
  readonly bootId: string;
  /** How it ended; written before the domain goes, which knows it too. */
  readonly verdict?: Verdict | undefined;
}

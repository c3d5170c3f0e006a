import type { SandboxProcess } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { Verdict } from '../decide/verdict.ts';

/** What is kept on the node of an instance whose guest is here, so that it can be put away when nobody else knows it. */
export interface InstanceRecord {
  readonly instance: VirtualMachineInstance;
  /** The pod that carries the guest. */
  readonly podUid: string;
  /** The boot of the node in which the guest was started. */
  readonly bootId: string;
  /** The launcher of that pod: that it has ended is what shows that the pod has. */
  readonly launcher?: SandboxProcess | undefined;
  /** When the guest was first asked to shut down, by the clock of this node. */
  readonly shutdownAskedAt?: number | undefined;
  /** How it ended; written before the domain goes, which knows it too. */
  readonly verdict?: Verdict | undefined;
}

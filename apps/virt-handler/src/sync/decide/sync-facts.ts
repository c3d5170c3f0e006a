import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { DomainRunState } from '../domains/known-domain.ts';
import type { Verdict } from './verdict.ts';

/** All that counts for what is done next about an instance that is in the API. */
export interface SyncFacts {
  readonly nodeName: string;
  readonly instance: VirtualMachineInstance;
  /** Its own domain; undefined when libvirt has none, or does not answer. */
  readonly domain: DomainRunState | undefined;
  /**
   * Whether libvirt is there to be asked: `missing` when this node does not offer the hypervisor, `silent` when it tells
   * nothing about the domain of this instance.
   */
  readonly libvirt: 'missing' | 'away' | 'silent' | 'current';
  /**
   * Whether the pod that carries the guest lives: `gone` when its launcher was known and has ended, `unknown` when nothing
   * of it is found, which shows nothing.
   */
  readonly sandbox: 'alive' | 'gone' | 'unknown';
  /** The uid of that pod, if one is known. */
  readonly podUid: string | undefined;
  /** Whether the API counts that pod among those that may carry the guest. */
  readonly isPodActive: boolean;
  /** How it ended, when that was written down before its domain went. */
  readonly verdict: Verdict | undefined;
  /** Whether the node was booted since the guest was started here. */
  readonly wasRebooted: boolean;
  /** How long ago the guest was first asked to shut down; undefined when it was not. */
  readonly shuttingDownMs: number | undefined;
}

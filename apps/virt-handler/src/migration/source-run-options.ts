import type { Clock } from '@smalt/controller-runtime';
import type { KeepaliveOptions, LibvirtSession } from '@smalt/libvirt';
import type { Ignore, Logger } from '@smalt/service-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { MigrationSettings } from '@smalt/vm-lifecycle';

import type { ComingPeer } from './coming-peer.ts';
import type { MigrationPlan } from './plan-migration.ts';
import type { GuestRecords } from './written-loss.ts';

export interface SourceRunOptions {
  /** `namespace/name` of the instance. */
  readonly key: string;
  readonly instance: VirtualMachineInstance;
  readonly session: LibvirtSession;
  /** What is written down of guests on this node. */
  readonly directories: GuestRecords;
  /** The libvirt of the target. */
  readonly peerUri: string;
  /** The same, where it is being connected to already. */
  readonly comingPeer?: ComingPeer | undefined;
  /** What libvirt is to be asked for, where that is being found out already; it is not used to bring halves together. */
  readonly comingPlan?: Promise<MigrationPlan | undefined> | undefined;
  readonly settings: MigrationSettings;
  readonly canEncrypt: boolean;
  /** How long the target may be silent before the guest stays. */
  readonly patience: KeepaliveOptions;
  /** Milliseconds since 1970, as the state of the migration says. */
  readonly startedAt: number;
  /** Whether nobody can have begun it before: this process announced it. */
  readonly isFresh: boolean;
  /** Whether the target was proven to be without power after the migration began. */
  readonly isTargetOff: (signal: AbortSignal) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  /** Told of every change worth a look at the run. */
  readonly onChange: () => void;
}

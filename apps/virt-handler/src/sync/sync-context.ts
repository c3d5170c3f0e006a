import type { Clock, EventRecorder, ObjectKey } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import type { DomainCache } from './domains/domain-cache.ts';
import type { InstanceMemories } from './instance-memory.ts';
import type { MigrationSides } from './instance-sync-options.ts';
import type { Sandboxes } from './sandboxes.ts';
import type { StartDeps } from './start/start-instance.ts';
import type { StartSlots } from './start/start-slots.ts';
import type { InstanceWriter } from './status/instance-writer.ts';

/** What the passes over instances share. */
export interface SyncContext extends Omit<StartDeps, 'cache' | 'sandboxes'> {
  readonly nodeName: string;
  readonly client: KubeClient;
  readonly sessions: HypervisorSessions;
  readonly sandboxes: Sandboxes;
  readonly cache: DomainCache;
  readonly memories: InstanceMemories;
  readonly slots: StartSlots;
  readonly writer: InstanceWriter;
  readonly migrations: MigrationSides;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  /** Asks for another pass. */
  readonly wake: (key: ObjectKey) => void;
  /** Runs something that no pass waits for. */
  readonly inBackground: (what: string, work: (signal: AbortSignal) => Promise<void>) => void;
}

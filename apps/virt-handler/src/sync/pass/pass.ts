import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { SyncContext } from '../sync-context.ts';
import type { PassFindings } from './gather-facts.ts';

/** One look at one instance. */
export interface Pass {
  readonly context: SyncContext;
  /** As the API has it. */
  readonly before: VirtualMachineInstance;
  /** As its migration makes it. */
  readonly instance: VirtualMachineInstance;
  readonly findings: PassFindings;
  readonly signal: AbortSignal;
}

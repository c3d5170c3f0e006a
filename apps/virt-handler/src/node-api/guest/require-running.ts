import { DomainState, type CallOptions } from '@smalt/libvirt';

import type { RunningInstance } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';

/** Whether the guest works or is paused; throws `conflict` where it is neither, or is not yet handed to its user. */
export async function requireRunning(
  { instance, session, domain }: RunningInstance,
  options: CallOptions,
): Promise<'running' | 'paused'> {
  // A guest that is being started is paused too, and must not be let go by others.
  if (instance.status?.phase !== 'Running') throw new VirtHandlerError('conflict', 'VMI is not running');
  const { state } = await session.domainGetState({ domain }, options);
  if (state === DomainState.paused) return 'paused';
  if (state === DomainState.running || state === DomainState.blocked || state === DomainState.pmSuspended)
    return 'running';
  throw new VirtHandlerError('conflict', 'VMI is not running');
}

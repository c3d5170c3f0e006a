import { DomainPausedReason, DomainState, type CallOptions, type Domain, type LibvirtSession } from '@smalt/libvirt';

import { whereaboutsOf } from '../../migration/guest-whereabouts.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';

export interface PausedGuest {
  readonly session: Pick<LibvirtSession, 'domainGetState'>;
  readonly domain: Domain;
}

const OF_MIGRATIONS: readonly number[] = [
  DomainPausedReason.migration,
  DomainPausedReason.postcopy,
  DomainPausedReason.postcopyFailed,
];

/**
 * Throws `conflict` unless somebody may let the guest go on. One that stands still for its migration may run at the target already,
 * and it is up to that migration alone whether it goes on here.
 */
export async function requirePaused({ session, domain }: PausedGuest, options: CallOptions): Promise<void> {
  const found = await session.domainGetState({ domain }, options);
  if (whereaboutsOf(found) === 'paused') return;
  // It may be called paused all the same: by whoever paused it before that.
  const isMigrating = found.state === DomainState.paused && OF_MIGRATIONS.includes(found.reason);
  const problem = isMigrating ? 'VMI stands still for its migration; try again when that is over' : 'VMI is not paused';
  throw new VirtHandlerError('conflict', problem);
}

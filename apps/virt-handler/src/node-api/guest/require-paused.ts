import type { CallOptions, Domain, LibvirtSession } from '@smalt/libvirt';

import { whereaboutsOf } from '../../migration/guest-whereabouts.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';

export interface PausedGuest {
  readonly session: Pick<LibvirtSession, 'domainGetState'>;
  readonly domain: Domain;
}

/**
 * Throws `conflict` unless somebody may let the guest go on. One that stands still for its migration may run at the target already,
 * and it is up to that migration alone whether it goes on here.
 */
export async function requirePaused({ session, domain }: PausedGuest, options: CallOptions): Promise<void> {
  const found = await session.domainGetState({ domain }, options);
  if (whereaboutsOf(found) !== 'paused') throw new VirtHandlerError('conflict', 'VMI is not paused');
}

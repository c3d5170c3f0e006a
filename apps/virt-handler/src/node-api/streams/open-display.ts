import { readDomain } from '@smalt/domain-xml';

import type { RunningInstance } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import { explainLibvirtError } from '../guest/explain-libvirt-error.ts';
import { requireRunning } from '../guest/require-running.ts';
import { openGuestSocket } from './open-guest-socket.ts';
import type { GuestLink } from './relay.ts';

/** Opens the VNC display of a guest. */
export async function openDisplay(running: RunningInstance, signal: AbortSignal): Promise<GuestLink> {
  const { session, domain, instance } = running;
  const { autoattachGraphicsDevice } = instance.spec.domain.devices;
  if (autoattachGraphicsDevice === false) throw noDisplay('spec.domain.devices.autoattachGraphicsDevice is false');
  const path = await socketOf();
  if (path === undefined) throw noDisplay('its hypervisor has none, or none that can be opened from outside');
  return await openGuestSocket(path, 'the display of the guest', signal);

  async function socketOf(): Promise<string | undefined> {
    try {
      await requireRunning(running, { signal });
      return readDomain(await session.domainGetXmlDesc({ domain }, { signal })).vncSocket;
    } catch (error) {
      throw explainLibvirtError(error);
    }
  }
}

function noDisplay(why: string): VirtHandlerError {
  return new VirtHandlerError('bad-request', `No graphics devices are present: ${why}`);
}

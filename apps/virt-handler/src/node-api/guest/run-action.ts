import type { CallOptions } from '@smalt/libvirt';

import type { RunningInstance } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { ActionName } from '../server/node-operation.ts';
import { explainLibvirtError } from './explain-libvirt-error.ts';
import type { Freezes } from './freezes.ts';
import { readFreezeRequest } from './read-freeze-request.ts';
import { requirePaused } from './require-paused.ts';
import { requireRunning } from './require-running.ts';

export interface ActionRequest {
  readonly action: ActionName;
  readonly running: RunningInstance;
  /** From JSON; undefined where there was none. */
  readonly body: unknown;
}

/** Does one thing to a guest, or throws in the words of the API why it cannot be done. */
export async function runAction(freezes: Freezes, request: ActionRequest, options: CallOptions): Promise<void> {
  const { action, running, body } = request;
  try {
    if (action === 'freeze') return await freezes.freeze(running, readFreezeRequest(body), options);
    if (action === 'unfreeze') return await freezes.thaw(running, options);
    await changeState(action, running, options);
  } catch (error) {
    throw explainLibvirtError(error);
  }
}

async function changeState(
  action: Exclude<ActionName, 'freeze' | 'unfreeze'>,
  running: RunningInstance,
  options: CallOptions,
): Promise<void> {
  const { session, domain } = running;
  const state = await requireRunning(running, options);
  switch (action) {
    case 'pause':
      if (state === 'paused') throw new VirtHandlerError('conflict', 'VMI is already paused');
      return await session.domainSuspend({ domain }, options);
    case 'unpause':
      await requirePaused(running, options);
      return await session.domainResume({ domain }, options);
    case 'reset':
      return await session.domainReset({ domain }, options);
    case 'softreboot':
      if (state === 'paused') throw new VirtHandlerError('conflict', 'VMI is paused');
      // Without flags libvirt takes the agent of the guest, else the power button.
      return await session.domainReboot({ domain }, options);
  }
}

import {
  decideAddVolume,
  decideEvacuateCancel,
  decideFreeze,
  decideGuestQuery,
  decidePause,
  decideRemoveVolume,
  decideReset,
  decideSoftReboot,
  decideUnfreeze,
  decideUnpause,
  type SubresourceDecision,
} from '@smalt/vm-admission';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { carryOut } from './carry-out.ts';
import { isDraining } from './is-draining.ts';
import { isDryRun, readOptions } from './read-options.ts';
import { requireInstance } from './required-objects.ts';
import type { SubresourceAnswer } from './subresource-answer.ts';
import type { SubresourceAction, SubresourceCall, SubresourceDeps } from './subresource-call.ts';

const KIND = 'virtualmachineinstance';

/** What can be done to an instance or asked of it, by the names of its subresources. */
export const instanceActions: Readonly<Record<string, SubresourceAction>> = {
  pause: (deps, call) => askNode(deps, call, { ...readOptions('PauseOptions', call.body), decide: decidePause }),
  unpause: async (deps, call) => {
    // The virtual machine of the same name may be in the middle of a snapshot.
    const machine = await deps.objects.machine(call.request, call.signal);
    const decide = (instance: VirtualMachineInstance): SubresourceDecision => decideUnpause(instance, machine);
    return await askNode(deps, call, { ...readOptions('UnpauseOptions', call.body), decide });
  },
  freeze: (deps, call) => {
    const { unfreezeTimeout } = readOptions('FreezeUnfreezeTimeout', call.body);
    return askNode(deps, call, {
      decide: decideFreeze,
      ...(unfreezeTimeout === undefined ? {} : { body: { unfreezeTimeout } }),
    });
  },
  unfreeze: (deps, call) => askNode(deps, call, { decide: decideUnfreeze }),
  reset: (deps, call) => askNode(deps, call, { decide: decideReset }),
  softreboot: (deps, call) => askNode(deps, call, { decide: decideSoftReboot }),
  guestosinfo: (deps, call) => askNode(deps, call, { decide: decideGuestQuery }),
  userlist: (deps, call) => askNode(deps, call, { decide: decideGuestQuery }),
  filesystemlist: (deps, call) => askNode(deps, call, { decide: decideGuestQuery }),
  addvolume: async (deps, { request, body, signal }) => {
    const options = readOptions('AddVolumeOptions', body);
    const decision = decideAddVolume(await requireInstance(deps, request, signal), options, deps.settings);
    await carryOut(deps.objects, { decision, key: request, kind: KIND, how: { dryRun: isDryRun(options), signal } });
    return { code: 202 };
  },
  removevolume: async (deps, { request, body, signal }) => {
    const options = readOptions('RemoveVolumeOptions', body);
    const decision = decideRemoveVolume(await requireInstance(deps, request, signal), options, deps.settings);
    await carryOut(deps.objects, { decision, key: request, kind: KIND, how: { dryRun: isDryRun(options), signal } });
    return { code: 202 };
  },
  'evacuate/cancel': async (deps, { request, body, signal }) => {
    const options = readOptions('EvacuateCancelOptions', body);
    const instance = await requireInstance(deps, request, signal);
    const decision = decideEvacuateCancel(instance, options, await isDraining(deps, instance, signal));
    await carryOut(deps.objects, { decision, key: request, kind: KIND, how: { dryRun: isDryRun(options), signal } });
    return { code: 200 };
  },
};

interface NodeQuestion {
  readonly decide: (instance: VirtualMachineInstance) => SubresourceDecision;
  readonly dryRun?: readonly string[];
  /** What the node is told beside the name of the instance. */
  readonly body?: Readonly<Record<string, string>>;
}

/** Has the node of an instance do it, where nothing stands against that, and passes its answer on. */
async function askNode(
  deps: SubresourceDeps,
  { request, signal }: SubresourceCall,
  { decide, dryRun = [], body }: NodeQuestion,
): Promise<SubresourceAnswer> {
  const instance = await requireInstance(deps, request, signal);
  const isDry = dryRun.includes('All');
  const how = { dryRun: isDry, signal };
  const next = await carryOut(deps.objects, { decision: decide(instance), key: request, kind: KIND, how });
  if (next === 'done' || isDry) return { code: 200 };
  const [, subresource = ''] = request.route.name.split('/');
  return await deps.nodes.call(instance, { method: request.route.method, subresource, body }, signal);
}

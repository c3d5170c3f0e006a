import {
  decideAddVolume,
  decideEvacuateCancel,
  decideMigrate,
  decideRemoveVolume,
  decideRestart,
  decideStart,
  decideStop,
} from '@smalt/vm-admission';

import { asJson } from '../admission/object-shapes.ts';
import { carryOut } from './carry-out.ts';
import { actOnPower } from './power-action.ts';
import { refuseVolume } from './refuse-volume.ts';
import { requireInstance, requireMachine } from './required-objects.ts';
import { isDryRun, readObject, readOptions } from './read-options.ts';
import { isDraining } from './is-draining.ts';
import type { SubresourceAnswer } from './subresource-answer.ts';
import type { SubresourceAction, SubresourceCall, SubresourceDeps } from './subresource-call.ts';

const ACCEPTED: SubresourceAnswer = { code: 202 };
const KIND = 'virtualmachine';

/** What can be done to a virtual machine, by the names of its subresources. */
export const machineActions: Readonly<Record<string, SubresourceAction>> = {
  start: (deps, call) => actOnPower(deps, call, { body: 'StartOptions', decide: decideStart }),
  stop: (deps, call) => actOnPower(deps, call, { body: 'StopOptions', decide: decideStop }),
  restart: (deps, call) => actOnPower(deps, call, { body: 'RestartOptions', decide: decideRestart }),
  migrate: (deps, call) => actOnPower(deps, call, { body: 'MigrateOptions', decide: decideMigrate }),
  addvolume: async (deps, { request, body, signal }) => {
    const options = readOptions('AddVolumeOptions', body);
    return refuseVolume(decideAddVolume(await requireMachine(deps, request, signal), options, deps.settings));
  },
  removevolume: async (deps, { request, body, signal }) => {
    const options = readOptions('RemoveVolumeOptions', body);
    const decision = decideRemoveVolume(await requireMachine(deps, request, signal), options, deps.settings);
    await carryOut(deps.objects, { decision, key: request, kind: KIND, how: { dryRun: isDryRun(options), signal } });
    return ACCEPTED;
  },
  'evacuate/cancel': async (deps, { request, body, signal }) => {
    const options = readOptions('EvacuateCancelOptions', body);
    await requireMachine(deps, request, signal);
    const instance = await requireInstance(deps, request, signal);
    const decision = decideEvacuateCancel(instance, options, await isDraining(deps, instance, signal));
    await carryOut(deps.objects, { decision, key: request, kind: KIND, how: { dryRun: isDryRun(options), signal } });
    return { code: 200 };
  },
  'expand-spec': async (deps, { request, signal }) => {
    return { code: 200, body: asJson(await requireMachine(deps, request, signal)) };
  },
};

/** Shows how a virtual machine would be stored that is not. Presets and instance types have no part in it here. */
export async function expandMachine(
  deps: SubresourceDeps,
  { request, body }: SubresourceCall,
): Promise<SubresourceAnswer> {
  const object = readObject('VirtualMachine', body);
  const { namespace } = request;
  const user = { name: '', groups: [], extra: {} };
  const where = { group: 'kubevirt.io', plural: 'virtualmachines', subresource: '', namespace, name: '' };
  const write = { ...where, operation: 'CREATE', object, oldObject: undefined, user, dryRun: true } as const;
  deps.admission.checkShape(write);
  return { code: 200, body: deps.admission.mutate(write) ?? object };
}

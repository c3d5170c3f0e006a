import {
  decideAddVolume,
  decideEvacuateCancel,
  decideMigrate,
  decideRemoveVolume,
  decideRestart,
  decideStart,
  decideStop,
} from '@smalt/vm-admission';

import { asJson, asKnown } from '../admission/object-shapes.ts';
import { refusal, statusOf } from '../virt-api-error.ts';
import { carryOut } from './carry-out.ts';
import { expandMachine } from './expand-machine.ts';
import { actOnPower } from './power-action.ts';
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
    const decision = decideAddVolume(await requireMachine(deps, request, signal), options, deps.settings);
    await carryOut(deps.objects, { decision, key: request, kind: KIND, how: { dryRun: isDryRun(options), signal } });
    return ACCEPTED;
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
    const machine = await requireMachine(deps, request, signal);
    return { code: 200, body: asJson(await expandMachine(deps, machine, signal)) };
  },
};

/** Shows what a virtual machine that is not stored would be, with its instance type and preference in its template. */
export async function expandSentMachine(
  deps: SubresourceDeps,
  { request, body, signal }: SubresourceCall,
): Promise<SubresourceAnswer> {
  const object = readObject('VirtualMachine', body);
  const { namespace } = request;
  const user = { name: '', groups: [], extra: {} };
  const where = { group: 'kubevirt.io', plural: 'virtualmachines', subresource: '', namespace, name: '' };
  const write = {
    ...where,
    operation: 'CREATE',
    object,
    oldObject: undefined,
    user,
    dryRun: true,
    isProven: true,
  } as const;
  deps.admission.checkShape(write);
  const machine = asKnown('virtualmachines', (await deps.admission.mutate(write, signal)) ?? object);
  const named = machine.metadata?.namespace ?? namespace;
  if (named !== namespace) throw refusal(statusOf(400, `VM namespace must be empty or ${namespace}`));
  const placed = { ...machine, metadata: { ...machine.metadata, namespace } };
  return { code: 200, body: asJson(await expandMachine(deps, placed, signal)) };
}

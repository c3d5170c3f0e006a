import { keyOf } from '@smalt/controller-runtime';
import type { KeptRevision, Referenced } from '@smalt/instance-types';
import { isJsonObject, isSameJson } from '@smalt/json';
import { isAlreadyExists } from '@smalt/kube';
import { virtualMachineKind, type VirtualMachine } from '@smalt/vm-api';

import { controllerRevisionKind } from '../kinds/controller-revision.ts';
import type { ChoiceSources, VirtControllerContext } from '../virt-controller-context.ts';
import { VirtControllerError } from '../virt-controller-error.ts';
import type { MachineActing } from './act-on-machine.ts';
import type { ChoicePlan, FindChoice } from './plan-choices.ts';

/** Looks up what a machine names in the caches; nothing is there where the cluster does not have the kinds. */
export function findChoice(
  { choices }: Pick<VirtControllerContext, 'choices'>,
  { metadata }: VirtualMachine,
): FindChoice {
  return ({ kind, name }: Referenced) => {
    if (choices === undefined || !isChoice(choices, kind.plural)) return undefined;
    return choices[kind.plural].cache.get(kind.isNamespaced ? `${metadata.namespace ?? ''}/${name}` : name);
  };
}

function isChoice(choices: ChoiceSources, plural: string): plural is keyof ChoiceSources {
  return Object.hasOwn(choices, plural);
}

export type KeepPlan = Extract<ChoicePlan, { kind: 'keep' }>;

/** Makes the copies and writes into the status which they are, before anything is started from them. */
export async function keepChoices(
  acting: MachineActing,
  vm: VirtualMachine,
  { revisions, status }: KeepPlan,
  signal: AbortSignal,
): Promise<void> {
  for (const revision of revisions) await createKept(acting, vm, revision, signal);
  const { instancetypeRef: _type, preferenceRef: _preference, ...rest } = vm.status ?? {};
  const changed = { ...vm, status: { ...rest, ...status } };
  acting.written.note(await acting.client.resource(virtualMachineKind).replaceStatus(changed, { signal }));
}

async function createKept(
  { client, ignore }: MachineActing,
  vm: VirtualMachine,
  { name, labels, data }: KeptRevision,
  signal: AbortSignal,
): Promise<void> {
  const { apiVersion, kind, metadata } = vm;
  const { namespace, uid = '' } = metadata;
  const owner = { apiVersion, kind, name: metadata.name, uid, controller: true, blockOwnerDeletion: true };
  const place = { name, labels, ...(namespace === undefined ? {} : { namespace }), ownerReferences: [owner] };
  const revisions = client.resource(controllerRevisionKind);
  try {
    await revisions.create({ metadata: place, revision: 0, data }, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    ignore(error, 'it is looked at, whether it is the one that was to be made');
    const found = await revisions.get(name, { namespace, signal });
    if (!isSameSpec(found.data, data)) throw taken(vm, name, error);
  }
}

/** The name has the uid and the generation of what is kept in it: with another content it is somebody else's. */
function isSameSpec(found: unknown, wanted: Readonly<Record<string, unknown>>): boolean {
  const spec = typeof found === 'object' && found !== null && 'spec' in found ? found.spec : undefined;
  const { spec: own } = wanted;
  return isJsonObject(spec) && isJsonObject(own) && isSameJson(spec, own);
}

function taken(vm: VirtualMachine, name: string, cause: unknown): VirtControllerError {
  const message = `ControllerRevision ${name} is there already with something else in it: delete it, so that ${keyOf(vm)} can keep its choice`;
  return new VirtControllerError('name-taken', message, { cause });
}

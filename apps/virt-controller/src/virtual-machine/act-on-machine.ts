import type { AwaitedWrites } from '@smalt/controller-runtime';
import { isNotFound, type Fields } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';
import type { VirtualMachineAction } from '@smalt/vm-lifecycle';

import { isControlledBy } from '../frame/controller-of.ts';
import { createOwned } from '../frame/create-owned.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { createRevision } from './create-revision.ts';
import { livePatch } from './live-patch.ts';

/** What carrying out a decision about a virtual machine needs. */
export interface MachineActing extends Pick<VirtControllerContext, 'client' | 'recorder' | 'ignore'> {
  readonly written: AwaitedWrites<VirtualMachine>;
  readonly writtenInstances: AwaitedWrites<VirtualMachineInstance>;
}

/** A virtual machine and its instance, as they are known. */
export interface MachinePair {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
}

/** Asks the API for one thing about a virtual machine. Returns the machine as it is then; undefined when it is gone. */
export async function actOnMachine(
  acting: MachineActing,
  pair: MachinePair,
  action: VirtualMachineAction,
  signal: AbortSignal,
): Promise<VirtualMachine | undefined> {
  const { vm } = pair;
  switch (action.kind) {
    case 'add-finalizer':
    case 'remove-finalizer':
      return patchMachine(acting, vm, { metadata: { finalizers: finalizersAfter(vm, action) } }, signal);
    case 'set-run-strategy':
      return patchMachine(acting, vm, { spec: action.patch }, signal);
    case 'create-revision':
      await createRevision(acting, vm, action, signal);
      return vm;
    case 'create-instance':
      await createInstance(acting, vm, action.instance, signal);
      return vm;
    case 'delete-instance':
      await deleteInstance(acting, vm, action, signal);
      return vm;
    case 'update-instance':
      await patchInstance(acting, pair, livePatch(action.changes), signal);
      return vm;
    case 'remove-instance-finalizer':
      await patchInstance(acting, pair, withoutFinalizer(pair, action.finalizer), signal);
      return vm;
  }
}

type FinalizerAction = Extract<VirtualMachineAction, { kind: 'add-finalizer' | 'remove-finalizer' }>;

function finalizersAfter({ metadata }: VirtualMachine, { kind, finalizer }: FinalizerAction): readonly string[] {
  const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  return kind === 'add-finalizer' ? [...others, finalizer] : others;
}

/** Changes a machine, if it is still as it was read. */
async function patchMachine(
  { client, written, ignore }: MachineActing,
  vm: VirtualMachine,
  fields: { readonly metadata?: Fields; readonly spec?: Fields },
  signal: AbortSignal,
): Promise<VirtualMachine | undefined> {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = vm.metadata;
  const patch = { ...fields, metadata: { ...fields.metadata, uid, resourceVersion } };
  try {
    const machine = await client.resource(virtualMachineKind).patch(name, 'merge', patch, { namespace, signal });
    const isGone = deletionTimestamp !== undefined && (machine.metadata.finalizers ?? []).length === 0;
    return isGone ? undefined : written.note(machine);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a machine that is gone needs no change');
    return undefined;
  }
}

async function createInstance(
  { client, recorder, writtenInstances }: MachineActing,
  vm: VirtualMachine,
  instance: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<void> {
  const { object, isNew } = await createOwned(client.resource(virtualMachineInstanceKind), instance, signal);
  writtenInstances.note(object);
  if (!isNew) return;
  const message = `Started the virtual machine by creating the new virtual machine instance ${object.metadata.name}`;
  void recorder.record(vm, 'Normal', 'SuccessfulCreate', message);
}

async function deleteInstance(
  { client, recorder, ignore }: MachineActing,
  vm: VirtualMachine,
  { name, uid }: Extract<VirtualMachineAction, { kind: 'delete-instance' }>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, deletionTimestamp } = vm.metadata;
  const instances = client.resource(virtualMachineInstanceKind);
  try {
    // The garbage collector orphans an instance before the machine shows that nothing is left to orphan; the cache may show it later.
    const seen = deletionTimestamp === undefined ? undefined : await instances.get(name, { namespace, signal });
    if (seen !== undefined && !isControlledBy(seen, vm)) return;
    await instances.delete(name, { namespace, uid, resourceVersion: seen?.metadata.resourceVersion, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'an instance that is gone need not be deleted');
    return;
  }
  const message = `Stopped the virtual machine by deleting the virtual machine instance ${name}`;
  void recorder.record(vm, 'Normal', 'SuccessfulDelete', message);
}

function withoutFinalizer({ vmi }: MachinePair, finalizer: string): readonly Fields[] {
  const finalizers = vmi?.metadata.finalizers ?? [];
  const value = finalizers.filter((each) => each !== finalizer);
  return [
    { op: 'test', path: '/metadata/finalizers', value: finalizers },
    { op: 'replace', path: '/metadata/finalizers', value },
  ];
}

async function patchInstance(
  { client, writtenInstances, ignore }: MachineActing,
  { vmi }: MachinePair,
  operations: readonly Fields[],
  signal: AbortSignal,
): Promise<void> {
  if (vmi === undefined) return;
  const { name, namespace, uid } = vmi.metadata;
  const patch = [{ op: 'test', path: '/metadata/uid', value: uid }, ...operations];
  try {
    const patched = await client.resource(virtualMachineInstanceKind).patch(name, 'json', patch, { namespace, signal });
    const isGone = patched.metadata.deletionTimestamp !== undefined && (patched.metadata.finalizers ?? []).length === 0;
    if (!isGone) writtenInstances.note(patched);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'an instance that is gone needs no change');
  }
}

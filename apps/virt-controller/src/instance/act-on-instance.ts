import type { AwaitedWrites } from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';
import {
  buildAttachmentPod,
  buildLauncherPod,
  type InstanceAction,
  type InstanceFacts,
  type InstanceWrite,
  type ObservedPod,
} from '@smalt/vm-lifecycle';

import { createOwned } from '../frame/create-owned.ts';
import { problemOf } from '../frame/problem-of.ts';
import { podKind } from '../kinds/launcher-pod.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { launcherSettingsOf } from './launcher-settings-of.ts';
import { blockVolumes } from './read-storage.ts';

/** What carrying out a decision about an instance needs. */
export interface InstanceActing extends Pick<
  VirtControllerContext,
  'client' | 'settings' | 'recorder' | 'ignore' | 'clock'
> {
  readonly written: AwaitedWrites<VirtualMachineInstance>;
  readonly writtenPods: AwaitedWrites<ObservedPod>;
}

/** Tells the API what has changed about an instance. */
export async function writeInstance(
  { client, written }: InstanceActing,
  vmi: VirtualMachineInstance,
  write: InstanceWrite,
  signal: AbortSignal,
): Promise<void> {
  const instances = client.resource(virtualMachineInstanceKind);
  const { name, namespace, uid } = vmi.metadata;
  switch (write.kind) {
    case 'none':
      return;
    case 'update':
      written.note(await instances.replace(write.instance, { signal }));
      return;
    case 'patch': {
      // A new instance of the same name must not get what was meant for the old one.
      const patch = [{ op: 'test', path: '/metadata/uid', value: uid }, ...write.operations];
      written.note(await instances.patch(name, 'json', patch, { namespace, signal }));
    }
  }
}

/** Asks the API for one thing about the pods of an instance. */
export async function actOnInstance(
  acting: InstanceActing,
  facts: InstanceFacts,
  action: InstanceAction,
  signal: AbortSignal,
): Promise<void> {
  switch (action.kind) {
    case 'create-pod':
      return createPod(acting, facts, signal);
    case 'create-attachment':
      return createAttachment(acting, facts, action, signal);
    case 'delete-pod':
      return deletePod(acting, facts.vmi, action, signal);
    case 'set-pod-condition':
      return setPodCondition(acting, facts.vmi, action, signal);
  }
}

async function createPod(acting: InstanceActing, facts: InstanceFacts, signal: AbortSignal): Promise<void> {
  const { client, settings, recorder, writtenPods } = acting;
  const { vmi, storage } = facts;
  const draft = buildLauncherPod(vmi, launcherSettingsOf(vmi, settings, blockVolumes(storage)));
  const { object, isNew } = await createOwned(client.resource(podKind), draft, signal);
  writtenPods.note(object);
  if (!isNew) return;
  void recorder.record(vmi, 'Normal', 'SuccessfulCreate', `Created virtual machine pod ${object.metadata.name}`);
}

type Attaching = Extract<InstanceAction, { kind: 'create-attachment' }>;

async function createAttachment(
  acting: InstanceActing,
  { vmi, storage }: InstanceFacts,
  { volumeName, claimName }: Attaching,
  signal: AbortSignal,
): Promise<void> {
  const { client, settings, recorder } = acting;
  const isBlock = blockVolumes(storage).has(volumeName);
  const launcher = launcherSettingsOf(vmi, settings, new Set());
  const draft = buildAttachmentPod(vmi, { volumeName, claimName, isBlock }, launcher);
  try {
    const { object, isNew } = await createOwned(client.resource(podKind), draft, signal);
    if (!isNew) return;
    const message = `Created attachment pod ${object.metadata.name} for the volume ${volumeName}`;
    void recorder.record(vmi, 'Normal', 'SuccessfulCreate', message);
  } catch (error) {
    const problem = problemOf(error, 'FailedCreate');
    if (problem !== undefined) {
      const message = `Error creating the pod that brings the volume ${volumeName}: ${problem.message}`;
      void recorder.record(vmi, 'Warning', problem.reason, message);
    }
    throw error;
  }
}

type Deletion = Extract<InstanceAction, { kind: 'delete-pod' }>;

async function deletePod(
  { client, recorder, ignore }: InstanceActing,
  vmi: VirtualMachineInstance,
  { name, uid, isForced }: Deletion,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = vmi.metadata;
  const options = { namespace, uid, signal, ...(isForced ? { gracePeriodSeconds: 0 } : {}) };
  try {
    await client.resource(podKind).delete(name, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a pod that is gone need not be deleted');
    return;
  }
  void recorder.record(vmi, 'Normal', 'SuccessfulDelete', `Deleted virtual machine pod ${name}`);
}

type GateChange = Extract<InstanceAction, { kind: 'set-pod-condition' }>;

async function setPodCondition(
  { client, ignore, clock }: InstanceActing,
  { metadata }: VirtualMachineInstance,
  { name, type, status }: GateChange,
  signal: AbortSignal,
): Promise<void> {
  const lastTransitionTime = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  const isPaused = status === 'False';
  const reason = isPaused ? 'Paused' : 'NotPaused';
  const message = isPaused ? 'the virtual machine is paused' : 'the virtual machine is not paused';
  const conditions = [{ type, status, reason, message, lastProbeTime: null, lastTransitionTime }];
  const options = { namespace: metadata.namespace, subresource: 'status', signal };
  try {
    await client.resource(podKind).patch(name, 'strategic', { status: { conditions } }, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a pod that is gone has no conditions');
  }
}

import { isJsonArray, parseJson, type JsonValue } from '@smalt/json';
import { checkDns1123Label } from '@smalt/kubernetes';
import type {
  AddVolumeOptions,
  RemoveVolumeOptions,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceSpec,
  VirtualMachineVolumeRequest,
  Volume,
} from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { isGateOpen } from '../feature-gates.ts';
import { EMPTY_SPEC } from '../validation/empty-spec.ts';
import { applyVolumeRequest } from '../validation/virtual-machine/apply-volume-request.ts';
import {
  NOT_RUNNING,
  type ObjectPatch,
  type PatchOperation,
  type Refusal,
  type SubresourceDecision,
} from './decision.ts';
import { isRunning } from './instance-facts.ts';
import { badRequest, conflict } from './refusal.ts';

/** What is to be changed: a virtual machine for good, or only its instance. */
export type VolumeOwner = VirtualMachine | VirtualMachineInstance;

const NOT_ENABLED = 'Enable DeclarativeHotplugVolumes or HotplugVolumes feature gate to use this API.';

/** What a request to plug a volume in leads to. */
export function decideAddVolume(
  owner: VolumeOwner,
  options: Partial<AddVolumeOptions>,
  settings: ClusterSettings,
): SubresourceDecision {
  const { name = '', disk, volumeSource } = options;
  if (!canPlug(settings)) return badRequest(NOT_ENABLED);
  if (name === '') return badRequest('AddVolumeOptions requires name to be set');
  const problems = checkDns1123Label(name);
  if (problems.length > 0) {
    return badRequest(`AddVolumeOptions requires name to be a DNS label: ${problems.join(', ')}`);
  }
  if (disk === undefined) return badRequest('AddVolumeOptions requires disk to not be nil');
  if (volumeSource === undefined) return badRequest('AddVolumeOptions requires VolumeSource to not be nil');
  const request = { addVolumeOptions: { ...options, name, disk: { ...disk, name }, volumeSource } };
  return changeVolumes(owner, request, settings);
}

/** What a request to take a volume out leads to. */
export function decideRemoveVolume(
  owner: VolumeOwner,
  options: Partial<RemoveVolumeOptions>,
  settings: ClusterSettings,
): SubresourceDecision {
  const { name = '' } = options;
  if (!canPlug(settings)) return badRequest(NOT_ENABLED);
  if (name === '') return badRequest('RemoveVolumeOptions requires name to be set');
  return changeVolumes(owner, { removeVolumeOptions: { ...options, name } }, settings);
}

function canPlug(settings: ClusterSettings): boolean {
  return isGateOpen(settings, 'HotplugVolumes') || isGateOpen(settings, 'DeclarativeHotplugVolumes');
}

function changeVolumes(
  owner: VolumeOwner,
  request: VirtualMachineVolumeRequest,
  settings: ClusterSettings,
): SubresourceDecision {
  const refusal = owner.kind === 'VirtualMachineInstance' ? instanceRefusal(owner, settings) : undefined;
  if (refusal !== undefined) return refusal;
  const spec = owner.kind === 'VirtualMachine' ? (owner.spec.template?.spec ?? EMPTY_SPEC) : owner.spec;
  const problem = volumeProblem(spec.volumes ?? [], request);
  if (problem !== undefined) return conflict(owner, problem);
  const patch: Omit<ObjectPatch, 'operations'> =
    owner.kind === 'VirtualMachine' ? { target: 'machine' } : { target: 'instance' };
  const prefix = owner.kind === 'VirtualMachine' ? '/spec/template/spec' : '/spec';
  return { kind: 'patch', patches: [{ ...patch, operations: volumeOperations(prefix, spec, request) }] };
}

// What is plugged into the instance of a virtual machine alone would be gone, or fought over, at the next change.
function instanceRefusal(instance: VirtualMachineInstance, settings: ClusterSettings): Refusal | undefined {
  const { metadata } = instance;
  const isOwned = (metadata.ownerReferences ?? []).some(
    ({ kind, controller }) => kind === 'VirtualMachine' && controller === true,
  );
  if (isOwned && !isGateOpen(settings, 'HotplugVolumes')) {
    return badRequest(`VMI ${metadata.namespace ?? ''}/${metadata.name} is owned by a VM`);
  }
  return isRunning(instance) ? undefined : conflict(instance, NOT_RUNNING.instance);
}

function volumeProblem(
  volumes: readonly Volume[],
  { addVolumeOptions: added, removeVolumeOptions: removed }: VirtualMachineVolumeRequest,
): string | undefined {
  if (added !== undefined) return additionProblem(volumes, added);
  if (removed === undefined) return undefined;
  const volume = volumes.find(({ name, ...source }) => name === removed.name || sourceName(source) === removed.name);
  if (volume === undefined) return `Unable to remove volume [${removed.name}] because it does not exist`;
  const canLeave = volume.dataVolume?.hotpluggable === true || volume.persistentVolumeClaim?.hotpluggable === true;
  return canLeave ? undefined : `Unable to remove volume [${volume.name}] because it is not hotpluggable`;
}

function additionProblem(volumes: readonly Volume[], { name, volumeSource }: AddVolumeOptions): string | undefined {
  if (volumes.some((volume) => volume.name === name)) {
    return `Unable to add volume [${name}] because volume with that name already exists`;
  }
  const source = sourceName(volumeSource);
  const isUsed = source !== undefined && volumes.some((volume) => sourceName(volume) === source);
  return isUsed ? `Unable to add volume source [${source}] because it already exists` : undefined;
}

function sourceName({
  dataVolume,
  persistentVolumeClaim,
}: Pick<Volume, 'dataVolume' | 'persistentVolumeClaim'>): string | undefined {
  return dataVolume?.name ?? persistentVolumeClaim?.claimName;
}

function volumeOperations(
  prefix: string,
  spec: VirtualMachineInstanceSpec,
  request: VirtualMachineVolumeRequest,
): readonly PatchOperation[] {
  const changed = applyVolumeRequest(spec, request);
  const parts = [
    { path: `${prefix}/volumes`, before: spec.volumes, after: changed.volumes },
    {
      path: `${prefix}/domain/devices/disks`,
      before: spec.domain.devices.disks,
      after: changed.domain.devices.disks,
    },
  ].map(({ path, before, after }) => ({ path, before: toJson(before), after: toJson(after) }));
  return [
    ...parts.map(({ path, before }) => ({ op: 'test', path, value: before }) as const),
    ...parts.map(({ path, before, after }) => {
      const op = isJsonArray(before) && before.length > 0 ? 'replace' : 'add';
      return { op, path, value: after } as const;
    }),
  ];
}

// Parts of objects are JSON; only their types do not say so.
function toJson(value: unknown): JsonValue {
  return value === undefined ? null : parseJson(JSON.stringify(value));
}

import type {
  AddVolumeOptions,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineVolumeRequest,
  Volume,
} from '@smalt/vm-api';

import { invalid, notSupported, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { isSameValue } from '../../is-same-value.ts';
import { validateHotpluggedDisk } from '../disks/validate-hotplugged-disk.ts';
import { validateSpec } from '../validate-spec.ts';
import { applyVolumeRequest, hotpluggedVolume } from './apply-volume-request.ts';

const FIELD = 'Status.volumeRequests';
const TEMPLATE_SPEC = 'spec.template.spec';

/** What volume requests of a virtual machine are judged with. */
export interface VolumeRequestScope {
  readonly settings: ClusterSettings;
  /** Its instance, where it has one that is not being deleted. */
  readonly instance: VirtualMachineInstance | undefined;
}

/** Orders to plug volumes in or out make sense, do not contradict each other, and leave a spec that is good. */
export function validateVolumeRequests(machine: VirtualMachine, scope: VolumeRequestScope): readonly Cause[] {
  const requests = machine.status?.volumeRequests ?? [];
  if (requests.length === 0) return [];
  const template = machine.spec.template?.spec;
  const volumes = { template: template?.volumes ?? [], instance: scope.instance?.spec.volumes ?? [] };
  return [
    ...requests.flatMap((request, index) => validateRequest(request, requests.slice(0, index), volumes)),
    ...[template, scope.instance?.spec].flatMap((spec) =>
      spec === undefined
        ? []
        : validateSpec({
            path: TEMPLATE_SPEC,
            spec: requests.reduce(applyVolumeRequest, spec),
            settings: scope.settings,
          }),
    ),
    ...(isMigrating(scope.instance)
      ? [notSupported('spec', 'Cannot handle volume requests while VMI migration is in progress')]
      : []),
  ];
}

interface KnownVolumes {
  readonly template: readonly Volume[];
  readonly instance: readonly Volume[];
}

function validateRequest(
  { addVolumeOptions: added, removeVolumeOptions: removed }: VirtualMachineVolumeRequest,
  before: readonly VirtualMachineVolumeRequest[],
  volumes: KnownVolumes,
): readonly Cause[] {
  if (added !== undefined && removed !== undefined) {
    const message = 'VolumeRequests require either addVolumeOptions or removeVolumeOptions to be set, not both';
    return [invalid(FIELD, message)];
  }
  if (added !== undefined) return validateAddition(added, before, volumes);
  if (removed === undefined) {
    const message = 'VolumeRequests require one of either addVolumeOptions or removeVolumeOptions to be set';
    return [invalid(FIELD, message)];
  }
  const isRepeated = before.some(({ removeVolumeOptions: other }) => other?.name === removed.name);
  return isRepeated ? [invalid(FIELD, `RemoveVolume request for [${removed.name}] aleady exists`)] : [];
}

function validateAddition(
  added: AddVolumeOptions,
  before: readonly VirtualMachineVolumeRequest[],
  { template, instance }: KnownVolumes,
): readonly Cause[] {
  const { name, disk } = added;
  const words = `AddVolume request for [${name}]`;
  const isRepeated = before.some(({ addVolumeOptions: other }) => other?.name === name);
  const conflict = `${words} conflicts with an existing volume of the same name on`;
  return [
    ...(isRepeated ? [invalid(FIELD, `${words} aleady exists`)] : []),
    ...validateHotpluggedDisk(disk, { name, order: 'AddVolume request', field: FIELD }),
    ...(isOther(added, template) ? [invalid(FIELD, `${conflict} the vmi template.`)] : []),
    ...(isOther(added, instance) ? [invalid(FIELD, `${conflict} currently running vmi`)] : []),
  ];
}

function isOther(added: AddVolumeOptions, volumes: readonly Volume[]): boolean {
  const existing = volumes.find(({ name }) => name === added.name);
  const given = { name: added.name, ...added.volumeSource };
  return existing !== undefined && !isSameValue(existing, given) && !isSameValue(existing, hotpluggedVolume(added));
}

function isMigrating(instance: VirtualMachineInstance | undefined): boolean {
  const state = instance?.status?.migrationState;
  const hasStarted = state?.startTimestamp !== undefined && state.startTimestamp !== null;
  return hasStarted && (state.endTimestamp === undefined || state.endTimestamp === null);
}

import { compareQuantities } from '@smalt/quantity';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import { isControlPlane, type AdmissionContext, type Requester } from '../../admission-context.ts';
import { invalid, notSupported, type Cause } from '../../cause.ts';
import { isGateOpen } from '../../feature-gates.ts';
import { isSameValue } from '../../is-same-value.ts';
import { readAmount } from '../../resource-amounts.ts';
import { reservedLabels } from '../general/reserved-labels.ts';
import type { InstanceChange } from './instance-change.ts';
import { validateFinalizers } from './validate-finalizers.ts';
import { validateHotpluggedVolumes } from './validate-hotplugged-volumes.ts';
import { validateUtilityVolumes } from './validate-utility-volumes.ts';

/** Every reason why an instance cannot be changed so. Its spec is the control plane's alone, and even that not in all. */
export function validateInstanceUpdate(
  instance: VirtualMachineInstance,
  old: VirtualMachineInstance,
  context: Pick<AdmissionContext, 'settings' | 'requester'>,
): readonly Cause[] {
  const { settings, requester } = context;
  const change = { instance, old };
  const isOurs = isControlPlane(requester);
  const isSpecSame = isSameValue(instance.spec, old.spec);
  return [
    ...(isGateOpen(settings, 'NodeRestriction') ? validateNode(change, requester) : []),
    ...(isSpecSame || !isOurs ? [] : validateCpuAndMemory(change)),
    ...(isSpecSame || !isOurs ? [] : validateUtilityVolumes(change, settings)),
    ...(isSpecSame || !isOurs ? [] : validateHotpluggedVolumes(change, settings)),
    ...(isSpecSame || isOurs ? [] : [specRestricted()]),
    ...(isOurs ? [] : validateLabels(change)),
    ...(isOurs ? [] : validateFinalizers(change)),
  ];
}

function specRestricted(): Cause {
  const advice = 'Change the VirtualMachine instead, or use addvolume and removevolume.';
  return notSupported('', 'update of VMI object is restricted', advice);
}

/** The part on a node writes only instances that run there or are coming, and does not choose where they go. */
function validateNode({ instance, old }: InstanceChange, requester: Requester): readonly Cause[] {
  if (requester.kind !== 'handler') return [];
  const { nodeName } = requester;
  if (nodeName === undefined) {
    return [invalid('', 'Node restriction failed, virt-handler service account is missing node name')];
  }
  const target = old.status?.migrationState?.targetNode ?? '';
  const newTarget = instance.status?.migrationState?.targetNode ?? '';
  if (nodeName !== old.status?.nodeName && nodeName !== target) {
    return [invalid('', 'Node restriction, virt-handler is only allowed to modify VMIs it owns')];
  }
  if (target !== '' || newTarget === '') return [];
  return [invalid('', 'Node restriction, virt-handler is not allowed to set target node')];
}

function validateCpuAndMemory({ instance, old }: InstanceChange): readonly Cause[] {
  const isSocketLimitNew = (instance.spec.domain.cpu?.maxSockets ?? 0) !== (old.spec.domain.cpu?.maxSockets ?? 0);
  const most = readAmount(instance.spec.domain.memory?.maxGuest);
  const oldMost = readAmount(old.spec.domain.memory?.maxGuest);
  const isMemoryLimitNew = most !== undefined && oldMost !== undefined && compareQuantities(most, oldMost) !== 0;
  return [
    ...(isSocketLimitNew ? [invalid('', 'CPU topology maxSockets changed')] : []),
    ...(isMemoryLimitNew ? [invalid('', 'Memory maxGuest changed')] : []),
  ];
}

function validateLabels({ instance, old }: InstanceChange): readonly Cause[] {
  const labels = reservedLabels(instance.metadata.labels);
  const oldLabels = reservedLabels(old.metadata.labels);
  if (isSameValue(labels, oldLabels)) return [];
  const message = 'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited';
  const names = [...new Set([...labels, ...oldLabels].map(([name]) => name))];
  return [notSupported('', message, `Leave ${names.join(', ')} as it is.`)];
}

import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { beginLife } from './begin-life.ts';
import { defaultAcpi } from './default-acpi.ts';
import { defaultAnnotations } from './default-annotations.ts';
import { defaultArchitectureDevices } from './default-architecture-devices.ts';
import { defaultCpuModel } from './default-cpu-model.ts';
import { defaultDisks } from './default-disks.ts';
import { defaultFeatures } from './default-features.ts';
import { defaultFirmware } from './default-firmware.ts';
import { defaultHotplugLimits } from './default-hotplug-limits.ts';
import { defaultHypervDependencies } from './default-hyperv-dependencies.ts';
import { defaultInputs } from './default-inputs.ts';
import { defaultMacSeed } from './default-mac-seed.ts';
import { defaultProbes } from './default-probes.ts';
import { defaultRuntimeUser } from './default-runtime-user.ts';
import { defaultSpec } from './default-spec.ts';
import { defaultStatus } from './default-status.ts';
import type { DefaultingContext, InstanceStep, SpecStep } from './default-step.ts';
import { defaultTimers } from './default-timers.ts';

/** The order matters: later steps build on what earlier ones have filled in. */
const STEPS: readonly InstanceStep[] = [
  forgetStatus,
  onSpec(defaultSpec),
  onSpec(defaultAcpi),
  onSpec(defaultTimers),
  onSpec(defaultFeatures),
  onSpec(defaultDisks),
  onSpec(defaultInputs),
  onSpec(defaultProbes),
  (instance, context) =>
    withSpec(
      instance,
      defaultFirmware(instance.spec, () => context.randomUuid()),
    ),
  onSpec(defaultHypervDependencies),
  onSpec(defaultArchitectureDevices),
  onSpec(defaultCpuModel),
  defaultStatus,
  onSpec(defaultHotplugLimits),
  (instance, { settings }) => defaultAnnotations(instance, settings),
  defaultMacSeed,
  (instance, { settings }) => defaultRuntimeUser(instance, settings),
  (instance, context) => beginLife(instance, context.now()),
];

/** A new instance with everything filled in that it does not say itself. What it says is never changed. */
export function defaultInstance(instance: VirtualMachineInstance, context: DefaultingContext): VirtualMachineInstance {
  return STEPS.reduce((filled, step) => step(filled, context), instance);
}

// The status is no subresource of this kind, so whoever makes an instance could say that it runs on some node.
function forgetStatus({ status: _status, ...instance }: VirtualMachineInstance): VirtualMachineInstance {
  return instance;
}

function onSpec(step: SpecStep): InstanceStep {
  return (instance, { settings }) => withSpec(instance, step(instance.spec, settings));
}

function withSpec(instance: VirtualMachineInstance, spec: VirtualMachineInstanceSpec): VirtualMachineInstance {
  return { ...instance, spec };
}

import type {
  VirtualMachineInstancetypeSpec,
  VirtualMachineInstanceTemplateSpec,
  VirtualMachineInstanceSpec,
  VirtualMachinePreferenceSpec,
} from '@smalt/vm-api';

/** What an instance is made from: its annotations and its spec. */
export interface InstanceTemplate extends VirtualMachineInstanceTemplateSpec {
  readonly spec: VirtualMachineInstanceSpec;
}

/** What a machine has chosen, as far as it has. */
export interface ChosenSpecs {
  readonly instancetype?: VirtualMachineInstancetypeSpec;
  readonly preference?: VirtualMachinePreferenceSpec;
}

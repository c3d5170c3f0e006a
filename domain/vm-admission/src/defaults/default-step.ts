import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';

/** What defaulting works with beside the object itself. */
export interface DefaultingContext {
  readonly settings: ClusterSettings;
  /** The present time. */
  now(): Date;
  /** A new random UUID at each call. */
  randomUuid(): string;
}

/** One step of filling in the spec of an instance or of a template. It gives back a new spec and changes none. */
export type SpecStep = (spec: VirtualMachineInstanceSpec, settings: ClusterSettings) => VirtualMachineInstanceSpec;

/** One step of filling in a new instance. */
export type InstanceStep = (instance: VirtualMachineInstance, context: DefaultingContext) => VirtualMachineInstance;

import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { Cause } from '../cause.ts';
import type { ClusterSettings } from '../cluster-settings.ts';

/** The spec of an instance or of a template, and where it stands. */
export interface SpecScope {
  /** `spec` of an instance, `spec.template.spec` of what makes instances. */
  readonly path: string;
  readonly spec: VirtualMachineInstanceSpec;
  readonly settings: ClusterSettings;
}

/** One rule: every cause it finds, none when all is well. */
export type SpecRule = (scope: SpecScope) => readonly Cause[];

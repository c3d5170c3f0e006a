import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { ClusterSettings } from './cluster-settings.ts';

/** Who asks for a write: somebody from outside, or a part of the control plane. */
export type Requester =
  | { readonly kind: 'user' }
  | { readonly kind: 'api' }
  | { readonly kind: 'controller' }
  /** The part on a node; its credentials say which one, unless they are broken. */
  | { readonly kind: 'handler'; readonly nodeName?: string };

/** Something an instance asks for that its driver cannot do. */
export interface HypervisorRefusal {
  /** Where it is asked for. */
  readonly field: string;
  /** What cannot be done, by whom, and what to do instead. */
  readonly message: string;
}

/**
 * What the driver with that name refuses of an instance, or undefined when there is no such driver. `path` is where the
 * spec of the instance stands in the object that is written.
 */
export type RefusalsOf = (
  hypervisor: string,
  instance: Pick<VirtualMachineInstance, 'spec'>,
  path: string,
) => readonly HypervisorRefusal[] | undefined;

/** What validation works with beside the objects themselves. */
export interface AdmissionContext {
  readonly settings: ClusterSettings;
  readonly requester: Requester;
  readonly refusalsOf: RefusalsOf;
}

export function isControlPlane(requester: Requester): boolean {
  return requester.kind !== 'user';
}

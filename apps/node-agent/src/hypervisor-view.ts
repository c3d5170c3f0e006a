import type { Hypervisor } from '@smalt/fleet-api';

/** The Hypervisor of this node as the API has it, kept up to date by a watch on that one object. */
export interface HypervisorView {
  /** Nothing while there is no such object, or while it is not known yet. */
  readonly current: Hypervisor | undefined;
  /** Calls back at once, if there is one, and at every change of the object, until the result is called. */
  onChange(handler: (current: Hypervisor | undefined) => void): () => void;
}

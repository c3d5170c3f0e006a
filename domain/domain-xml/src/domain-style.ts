/** What is particular about the domains of one hypervisor, as far as steps that several of them share must know it. */
export interface DomainStyle {
  /** The root element's `type`. */
  readonly domainType: string;
  /** The `name` of a disk's driver. */
  readonly diskDriver: string | undefined;
  /** Whether every disk and interface needs a place in the boot order, asked for or not. */
  readonly requiresBootOrder: boolean;
  readonly supportsMemoryBallooning: boolean;
  /** Whether it tells old virtio from new; else all virtio devices are of the model `virtio`. */
  readonly hasVirtioGenerations: boolean;
}

/** A device of this node that a guest may have to itself. */
export interface NodeDevice {
  readonly kind: 'pci' | 'mediated';
  /** The address of a PCI device, `0000:3b:00.0`; the UUID of a mediated one. */
  readonly id: string;
  /** What pods ask for. */
  readonly resource: string;
  /** The group of devices that the hardware can keep apart only together, if it tells. */
  readonly group: string | undefined;
  /** The NUMA cell that it is close to, if it tells. */
  readonly cell: number | undefined;
  /** What hinders a guest from having it; undefined when nothing does. */
  readonly problem: string | undefined;
}

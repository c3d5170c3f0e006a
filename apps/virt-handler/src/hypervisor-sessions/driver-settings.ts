/** How one driver is reached on this node. */
export interface DriverSettings {
  /** The libvirt URI; that of the driver itself if not given. */
  readonly uri?: string | undefined;
  /** Where the pid files of its guests are seen from here; where libvirt has them if not given. */
  readonly pidDirectory?: string | undefined;
}

/** The drivers that a node offers, by their names. */
export type DriverTable = Readonly<Record<string, DriverSettings>>;

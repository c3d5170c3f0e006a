/** The network that a node's devices are in. */
export interface NodeNetwork {
  /** A process in it, such as for `nsenter --target`. */
  readonly pid: number;
  /** Where `/sys` shows its devices, as seen from here. */
  readonly sysfs: string;
  /** Runs `ip` commands in it, in order. */
  configure(...commands: readonly string[]): Promise<void>;
}

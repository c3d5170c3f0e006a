/** An interface that ovn-controller looked at, and how many logical ports it bound to it. */
export interface LocalBinding {
  /** The `iface-id`. */
  readonly name: string;
  readonly interfaceName: string | undefined;
  readonly bindings: number;
  readonly primaryPort: string | undefined;
}

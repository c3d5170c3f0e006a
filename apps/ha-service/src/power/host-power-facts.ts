/** What is known of a host when its power switch is looked for. */
export interface HostPowerFacts {
  readonly name: string;
  /** Where its management controller is, as its Hypervisor object says. */
  readonly address: string | undefined;
  /** Labels of its Hypervisor object. */
  readonly labels: Readonly<Record<string, string>>;
}

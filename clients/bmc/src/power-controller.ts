/** What a controller says of a host's power. `unknown` is what it says when it does not know. */
export type PowerState = 'on' | 'off' | 'powering-on' | 'powering-off' | 'paused' | 'unknown';

export interface PowerReading {
  readonly state: PowerState;
  /** How it was read, in words for a record, such as `redfish https://bmc-7/redfish/v1/Systems/1`. */
  readonly method: string;
  /** Why it is not what the controller seems to say, where that is so. */
  readonly message?: string;
}

/**
 * The power switch of one host. Every call ends within its deadline or when the signal fires, and fails with a BmcError.
 * A command that returns was accepted, no more: only readings tell whether the host is off.
 */
export interface PowerController {
  /** How the host is reached, in words for a record. */
  readonly method: string;
  /** Asks the controller anew, over a connection and a session of its own: nothing is remembered. */
  readPower(signal: AbortSignal): Promise<PowerReading>;
  /** Cuts the power without asking the operating system. A host that is off already counts as asked. */
  powerOff(signal: AbortSignal): Promise<void>;
  /** Turns the power on. A host that is on already counts as asked. */
  powerOn(signal: AbortSignal): Promise<void>;
}

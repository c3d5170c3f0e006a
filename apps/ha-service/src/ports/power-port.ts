import type { PowerReading } from '@smalt/failure-detection';

/** The power switches of the fleet. A call ends within its deadline, and fails with a sentence that holds no secret. */
export interface PowerPort {
  /** The ways to power a host off as they are configured now, the best first; none is empty. */
  methodsOf(host: string): readonly string[];
  /** Another host that names a switch of this one, where none is left that is its own alone. */
  rivalOf?(host: string): string | undefined;
  /** Cuts the power. That it returns says only that the order was taken. */
  powerOff(host: string, method: string, signal: AbortSignal): Promise<void>;
  /** Reads the power by a session that was not used before. */
  readPower(
    host: string,
    method: string,
    signal: AbortSignal,
  ): Promise<Pick<PowerReading, 'power' | 'session' | 'message' | 'method'>>;
  /** Takes back what keeps a host off, once it has returned: an order that stands, such as that to IronCore. May be repeated. */
  release?(host: string, signal: AbortSignal): Promise<void>;
  /** Clears away what a dead host still holds in the network, such as its OVN chassis; may be repeated. */
  cleanUp(host: string, signal: AbortSignal): Promise<void>;
}

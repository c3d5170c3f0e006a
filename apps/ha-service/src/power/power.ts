import type { PowerPort } from '../ports/power-port.ts';

/** How one way to a host's power answered when nothing was wrong. */
export interface PowerReport {
  readonly host: string;
  readonly method: string;
  /** `on` and `off` as the controller said; `unknown` when it did not know or could not be asked. */
  readonly power: 'on' | 'off' | 'unknown';
  readonly isReachable: boolean;
  /** Why it could not be asked, or what it said; no secret in it. */
  readonly message: string | undefined;
  readonly tookMs: number;
}

/** The power switches of the fleet, with what helps to know in peace time that they work. */
export interface Power extends PowerPort, AsyncDisposable {
  /** Reads the power of a host by every method it has; empty when it has none. Fails only when the signal fires. */
  checkReachable(host: string, signal: AbortSignal): Promise<readonly PowerReport[]>;
}

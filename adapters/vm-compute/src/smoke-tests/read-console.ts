import type { UpgradeTarget } from '@smalt/kube';

export interface ConsoleListening {
  /** `NAMESPACE/NAME`, for messages. */
  readonly instance: string;
  readonly forMs: number;
  readonly signal: AbortSignal;
}

/**
 * Listens to the serial console of an instance for a while, and gives what came. It is a WebSocket, which whoever opens the
 * adapter has the means for. Nobody keeps what a guest wrote before, so an empty line has to be sent first: a guest that
 * waits for a login shows its name again. Throws a `ComputeError`.
 */
export type ReadConsole = (target: UpgradeTarget, listening: ConsoleListening) => Promise<string>;

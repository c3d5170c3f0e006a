import type { MetricsRegistry } from '@smalt/service-runtime';

import type { SwitchAccess } from './switch-access.ts';

/** An agent at work. Disposing of it stops it, gives the node up and closes what it opened. */
export interface OvsAgent extends AsyncDisposable {
  readonly access: SwitchAccess;
  readonly metrics: MetricsRegistry;
  /** The port of the troubleshooting API, where it is served. */
  readonly troubleshootingPort: number | undefined;
  /** Resolves when the agent has stopped, and rejects when it cannot go on. */
  readonly ended: Promise<void>;
}

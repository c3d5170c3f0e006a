import type { KubeConfig } from '@smalt/kube';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { ConsoleClock } from './console-clock.ts';
import type { ConsoleLimits } from './console-limits.ts';
import type { ConsoleMetrics } from './console-metrics.ts';
import type { OwnOrigins } from './http/own-origins.ts';
import type { TrustedProxies } from './http/trusted-proxies.ts';
import type { Pages } from './pages/pages.ts';
import type { HighAvailability } from './proxy/high-availability.ts';
import type { Upstream } from './proxy/upstream.ts';
import type { Allowance } from './session/allowance.ts';
import type { CallCounts } from './session/call-counts.ts';
import type { KnownUsers } from './session/known-users.ts';
import type { SessionChecks } from './session/session-checks.ts';
import type { Sessions } from './session/sessions.ts';
import type { SignInLimit } from './session/sign-in-limit.ts';

/** What all parts of the console's server stand on. */
export interface ConsoleContext {
  readonly apiServer: KubeConfig;
  /** The addresses of hosts that are on this machine. */
  readonly localHosts: readonly string[];
  readonly upstream: Upstream;
  /** undefined where there is no HA service. */
  readonly highAvailability: HighAvailability | undefined;
  readonly sessions: Sessions;
  readonly checks: SessionChecks;
  readonly users: KnownUsers;
  readonly signIns: SignInLimit;
  /** Sessions that users may begin, by their names. */
  readonly begun: Allowance;
  readonly calls: CallCounts;
  readonly lives: CallCounts;
  /** Logs and usage that are listened to, by token: a node has so many places for all. */
  readonly streams: CallCounts;
  /** Streams of the HA service, by the name of the user. */
  readonly changes: CallCounts;
  readonly origins: () => OwnOrigins;
  readonly proxies: TrustedProxies;
  readonly pages: Pages;
  readonly limits: ConsoleLimits;
  readonly metrics: ConsoleMetrics;
  readonly clock: ConsoleClock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  /** Fires when the console stops. */
  readonly stopping: AbortSignal;
}

import type { KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { ConsoleClock } from './console-clock.ts';
import type { ConsoleLimits } from './console-limits.ts';

/** How the console's server is to run. */
export interface ConsoleOptions {
  readonly listen: {
    /** Loopback unless the console is to be reached from other machines. */
    readonly host: string;
    /** 0 takes any that is free. */
    readonly port: number;
  };
  /** Without these files it speaks plain HTTP, which is for loopback, or behind something that ends TLS. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  /** Where pages are opened if that is not where it listens, such as `https://console.example`; other origins are refused. */
  readonly origins?: readonly string[];
  /** Networks of proxies that are believed about where a request comes from, such as `10.0.0.0/8`; nobody is without them. */
  readonly trustedProxies?: readonly string[];
  /** How the API server is reached. Its identity is used for `signedOutConfigMap` alone: each call shows the token of the user who makes it. */
  readonly apiServer: KubeConfig;
  /** The addresses of hosts that are on this machine: their OVS agents are asked with the token of the user, others are not. */
  readonly localHosts?: readonly string[];
  /** Where the HA service is; without it there is no `/ha`. */
  readonly highAvailability?: HighAvailabilityOptions | undefined;
  /** What sessions are sealed with, 32 bytes; made, for its owner alone, when it is not there. */
  readonly keyFile: string;
  /** Keeps in mind who signed out, across restarts; without it that is forgotten with the process. */
  readonly signedOutFile?: string | undefined;
  /** A ConfigMap that does the same for several replicas; it has to be there. */
  readonly signedOutConfigMap?: { readonly namespace: string; readonly name: string } | undefined;
  /** What the page was built into. */
  readonly pagesDirectory: string;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly health: HealthRegistry;
  readonly limits?: Partial<ConsoleLimits>;
  readonly clock?: ConsoleClock;
}

export interface HighAvailabilityOptions {
  /** Such as `https://ha.example:7402`. */
  readonly url: string;
  /** Who vouches for it, PEM, asked for at each call; those of the operating system without one. */
  readonly authority?: (() => Promise<string>) | undefined;
  /** The token that the console itself shows there, asked for at each call; users are named beside it. */
  readonly token: () => Promise<string>;
}

/** A console that serves. Disposing of it tells every stream, and ends within a second. */
export interface ConsoleServer extends AsyncDisposable {
  readonly port: number;
  /** Where a browser finds it, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Resolves when it has been told to stop. */
  readonly ended: Promise<void>;
  /** Makes a code that signs in once, within 15 minutes, with this token: open `/enter?code=CODE`. */
  createEntry(token: string): string;
}

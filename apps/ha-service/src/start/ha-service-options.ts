import type { KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { SettingsFile } from '../settings/settings-file.ts';
import type { LeasePlace } from './lead.ts';

/** What a replica is told. */
export interface HaServiceOptions {
  readonly settings: SettingsFile;
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /** Who this replica is; no two may share it. */
  readonly identity: string;
  /** Where OpenStack's variables are, and what credential plugins of the kubeconfig run with. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  /** How soon another replica leads. */
  readonly lease?: Pick<LeasePlace, 'leaseMs' | 'renewDeadlineMs' | 'retryMs'> | undefined;
}

/** A replica at work. Disposing of it stops it in good order. */
export interface HaService extends AsyncDisposable {
  /** The port of the HTTPS server. */
  readonly port: number;
  readonly metrics: MetricsRegistry;
  /** Resolves when it was told to stop and has; rejects when it cannot go on. */
  readonly ended: Promise<void>;
}

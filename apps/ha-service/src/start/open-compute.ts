import { isOpenStackError, loadCloudConfig, OpenStackClient, type CloudConfig, type Exchange } from '@smalt/openstack';
import { defaultOpenStackComputeSettings, openOpenStackCompute } from '@smalt/openstack-compute';
import type { MetricsRegistry } from '@smalt/service-runtime';

import { HaServiceError } from '../ha-service-error.ts';
import type { HaCompute } from '../ports/engine-ports.ts';
import type { ComputeSettings } from '../settings/ha-service-settings.ts';

/** Refusals that no waiting changes. */
const FOR_GOOD = ['unauthorized', 'forbidden', 'bad-config', 'bad-request', 'no-endpoint', 'not-found'] as const;

export interface OpenComputeOptions {
  readonly settings: ComputeSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly metrics: MetricsRegistry;
  readonly userAgent: string;
}

/** The compute system, which is closed by disposing of it. */
export interface OpenedCompute extends AsyncDisposable {
  readonly compute: HaCompute;
  /** Rejects when we cannot work with it now: with a HaServiceError when waiting does not help. */
  check(signal: AbortSignal): Promise<void>;
}

/** Opens the compute system that the settings name. Nothing is asked of it yet. */
export async function openCompute(options: OpenComputeOptions): Promise<OpenedCompute> {
  const { settings, environment, metrics, userAgent } = options;
  const { timeoutMs, attempts, mostRequests, allowsInsecure, cloud, cloudsFile } = settings;
  const config = await loadCloudConfig({
    environment,
    allowsInsecure,
    cloud: cloud || undefined,
    path: cloudsFile || undefined,
  });
  const around = { config, userAgent, timeoutMs, mostRequests, onExchange: countRequests(metrics) };
  const owner = new AsyncDisposableStack();
  const compute = owner.use(
    openOpenStackCompute({ ...around, settings: defaultOpenStackComputeSettings, maxAttempts: attempts }),
  );
  const client = owner.use(new OpenStackClient({ ...around, maxAttempts: 1 }));
  return {
    compute,
    check: (signal) => logIn(client, config, signal),
    [Symbol.asyncDispose]: () => owner.disposeAsync(),
  };
}

async function logIn(client: OpenStackClient, { authUrl }: CloudConfig, signal: AbortSignal): Promise<void> {
  try {
    await client.whoAmI({ signal });
  } catch (error) {
    if (!isOpenStackError(error, ...FOR_GOOD)) throw error;
    const message = `${authUrl} refuses the service: ${error.message}: check compute.cloud and clouds.yaml, or the OS_* variables`;
    throw new HaServiceError('login-refused', message, { cause: error });
  }
}

function countRequests(metrics: MetricsRegistry): (exchange: Exchange) => void {
  const requests = metrics.counter({
    name: 'smalt_openstack_requests_total',
    help: 'Requests to OpenStack by service, method, path with names for ids, and status; error codes where there was no answer.',
    labelNames: ['service', 'method', 'path', 'status'],
  });
  return ({ service, method, path, status, code }) =>
    requests.cell([service, method, path, status === undefined ? (code ?? 'unknown') : String(status)]).add();
}

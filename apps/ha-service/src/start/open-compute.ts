import { isKubeError, isNotFound, type KubeClient } from '@smalt/kube';
import { isOpenStackError, loadCloudConfig, OpenStackClient, type CloudConfig, type Exchange } from '@smalt/openstack';
import { defaultOpenStackComputeSettings, openOpenStackCompute } from '@smalt/openstack-compute';
import type { MetricsRegistry } from '@smalt/service-runtime';
import { virtualMachineKind } from '@smalt/vm-api';
import { createVmCompute, defaultVmComputeSettings } from '@smalt/vm-compute';

import { HaServiceError } from '../ha-service-error.ts';
import type { HaCompute } from '../ports/engine-ports.ts';
import type { ComputeSettings } from '../settings/ha-service-settings.ts';

/** Refusals that no waiting changes. */
const FOR_GOOD = ['unauthorized', 'forbidden', 'bad-config', 'bad-request', 'no-endpoint', 'not-found'] as const;

export interface OpenComputeOptions {
  readonly settings: ComputeSettings;
  /** The cluster, whose VirtualMachines may be what is looked after. It stays with its owner. */
  readonly client: KubeClient;
  /** How long a host that is not heard of counts as up. */
  readonly serviceDownMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly metrics: MetricsRegistry;
  readonly userAgent: string;
  /** Milliseconds by a clock that never jumps. */
  readonly monotonic?: (() => number) | undefined;
}

/** The compute system, which is closed by disposing of it. */
export interface OpenedCompute extends AsyncDisposable {
  readonly compute: HaCompute;
  /** Rejects when we cannot work with it now: with a HaServiceError when waiting does not help. */
  check(signal: AbortSignal): Promise<void>;
}

/** Opens the compute system that the settings name. Nothing is asked of it yet. */
export async function openCompute(options: OpenComputeOptions): Promise<OpenedCompute> {
  switch (options.settings.kind) {
    case 'openstack':
      return await openCloud(options);
    case 'virtual-machines':
      return openVirtualMachines(options);
  }
}

function openVirtualMachines({ client, serviceDownMs, monotonic }: OpenComputeOptions): OpenedCompute {
  const settings = { ...defaultVmComputeSettings, heartbeatTimeoutMs: serviceDownMs };
  return {
    compute: createVmCompute({ client, settings, monotonic }),
    check: (signal) => requireVirtualMachines(client, signal),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function requireVirtualMachines(client: KubeClient, signal: AbortSignal): Promise<void> {
  try {
    await client.resource(virtualMachineKind).list({ limit: 1, signal });
  } catch (error) {
    if (isNotFound(error)) {
      const message =
        'compute.kind is virtual-machines, but the cluster knows none: kubectl apply -f deploy/helm/smalt/files/crds';
      throw new HaServiceError('missing-definitions', message, { cause: error });
    }
    if (!isKubeError(error, 'forbidden', 'unauthorized')) throw error;
    const message = `the cluster lets the service see no VirtualMachines: ${error.message}: give it a role that does`;
    throw new HaServiceError('login-refused', message, { cause: error });
  }
}

async function openCloud(options: OpenComputeOptions): Promise<OpenedCompute> {
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

import { KUBERNETES_VERSION } from './build/built-programs.ts';
import { BedKubernetesError } from './error.ts';
import { findKubernetes } from './kubernetes-programs.ts';
import { startKubernetes } from './start-kubernetes.ts';
import { startSmaltApiServer } from './start-smalt-api-server.ts';
import type { TestApiServer } from './test-api-server.ts';

/** What our own server does in its process, and Kubernetes in its controller manager; without the protectors no claim and no volume would ever go there. */
const API_CONTROLLERS = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
] as const;

export interface TestApiServerOptions {
  /** Whether all controllers and the scheduler of Kubernetes are there, where it is Kubernetes that runs. */
  readonly isCluster?: boolean | undefined;
  /** Left out: it is waited for as long as a hook may take. */
  readonly signal?: AbortSignal | undefined;
}

/** The name of the vitest mode in which tests run on the real API server. */
const MODE = 'kubernetes';
/** Less than the limit of hooks in vitest.config.ts. */
const START_MS = 110_000;

/** Whether the tests of this run talk to the real API server: `vitest run --mode kubernetes`. */
export function isOnKubernetes(): boolean {
  const { env }: { readonly url: string; readonly env?: { readonly MODE?: string } } = import.meta;
  return env?.MODE === MODE;
}

/** Starts the API server of this run, ours or the real one, on loopback; resolves when it is ready. */
export async function startTestApiServer(options: TestApiServerOptions = {}): Promise<TestApiServer> {
  const { isCluster = false, signal = AbortSignal.timeout(START_MS) } = options;
  if (!isOnKubernetes()) return await startSmaltApiServer({ signal });
  return await startRealApiServer({ isCluster, signal });
}

export interface RealApiServerOptions extends TestApiServerOptions {
  readonly signal: AbortSignal;
  /** The address that others reach it by; left out: loopback alone. */
  readonly address?: string | undefined;
}

/** Starts the real API server of such a run. */
export async function startRealApiServer(options: RealApiServerOptions): Promise<TestApiServer> {
  const { address, isCluster = false, signal } = options;
  const programs = findKubernetes();
  if (programs === undefined)
    throw new BedKubernetesError(
      'missing-program',
      `Kubernetes ${KUBERNETES_VERSION} is not at hand: npm run bed:kubernetes -- --build builds it`,
    );
  return await startKubernetes(programs, signal, {
    address,
    controllers: isCluster ? true : API_CONTROLLERS,
    scheduler: isCluster,
    audit: true,
    isDurable: false,
    // A new node is tainted until a controller sees that it is ready, which is not among ours.
    flags: isCluster ? [] : ['--disable-admission-plugins=TaintNodesByCondition'],
  });
}

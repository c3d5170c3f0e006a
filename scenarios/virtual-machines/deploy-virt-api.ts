import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { freePorts } from '@smalt/bed-kubernetes';
import { isJsonObject, type JsonObject } from '@smalt/json';
import type { KubeClient, KubeConfig } from '@smalt/kube';
import { HealthRegistry, MetricsRegistry, type Logger } from '@smalt/service-runtime';
import { controlPlaneIn, startVirtApi, type VirtApi } from '@smalt/virt-api';
import type { ClusterSettings } from '@smalt/vm-admission';
import { parseAllDocuments } from 'yaml';

/** Where the control plane has its accounts. */
export const SYSTEM_NAMESPACE = 'smalt-system';
/** By what handlers know virt-api: a token that the handler of one node takes, as in the chart. */
export const HANDLER_TOKENS = {
  namespace: 'smalt-system',
  account: 'smalt-virt-api',
  audience: 'virt-handler.smalt.io/{node}',
} as const;
const FILES = resolve(import.meta.dirname, '../../deploy/helm/smalt/files/virt-api');
const SERVICE = 'virt-api';
const SERVED_MS = 60_000;
const COLLECTIONS: Readonly<Record<string, string>> = {
  APIService: '/apis/apiregistration.k8s.io/v1/apiservices',
  MutatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  ValidatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
};

export interface DeployedVirtApiOptions {
  readonly admin: KubeClient;
  /** How virt-api reaches the API as itself. */
  readonly kubeConfig: KubeConfig;
  /** Where it listens: Kubernetes refuses endpoints on loopback. */
  readonly address: string;
  readonly settings: ClusterSettings;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Puts virt-api beside a Kubernetes as the chart does, but for its pod: its webhooks, its part of the API, and its Service. */
export async function deployVirtApi(options: DeployedVirtApiOptions): Promise<VirtApi> {
  const { admin, kubeConfig, address, settings, logger, signal } = options;
  const [port = 0] = await freePorts(1);
  await publish(admin, address, port);
  // Before it starts: the first thing that it does is to tell them whom to trust.
  const made = await apply(admin);
  await using stack = new AsyncDisposableStack();
  const running = stack.use(
    await startVirtApi(
      {
        kubeConfig,
        settings,
        controlPlane: controlPlaneIn(SYSTEM_NAMESPACE),
        namespace: SYSTEM_NAMESPACE,
        serviceName: SERVICE,
        secretName: 'smalt-virt-api-certificate',
        listen: `${address}:${port}`,
        handlerTokens: HANDLER_TOKENS,
        mostStreams: 100,
        logger,
        metrics: new MetricsRegistry(),
        health: new HealthRegistry(),
      },
      // What it is given here counts for as long as it runs.
      new AbortController().signal,
    ),
  );
  for (const path of made.filter((each) => each.startsWith(`${COLLECTIONS['APIService']}/`))) {
    await untilAvailable(admin, path, signal);
  }
  stack.move();
  return running;
}

/** A Service without pods, whose one endpoint is virt-api. */
async function publish(admin: KubeClient, address: string, port: number): Promise<void> {
  const https = { name: 'https', protocol: 'TCP' };
  await post(admin, `/api/v1/namespaces/${SYSTEM_NAMESPACE}/services`, {
    metadata: { name: SERVICE },
    spec: { ports: [{ ...https, port: 443 }] },
  });
  await post(admin, `/apis/discovery.k8s.io/v1/namespaces/${SYSTEM_NAMESPACE}/endpointslices`, {
    metadata: { name: `${SERVICE}-1`, labels: { 'kubernetes.io/service-name': SERVICE } },
    addressType: 'IPv4',
    ports: [{ ...https, port }],
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
  });
}

/** Registers the webhooks and the aggregated API; the paths of what was made. */
async function apply(admin: KubeClient): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const file of ['webhooks.yaml', 'api-services.yaml']) {
    for (const document of parseAllDocuments(await readFile(join(FILES, file), 'utf8'))) {
      const object = Object(document.toJS());
      const collection = COLLECTIONS[String(object.kind)] ?? '';
      await post(admin, collection, object);
      paths.push(`${collection}/${object.metadata.name}`);
    }
  }
  return paths;
}

/** Resolves when the API server has reached it there. */
async function untilAvailable(admin: KubeClient, path: string, signal: AbortSignal): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(SERVED_MS)]);
  let told = '';
  while (!until.aborted) {
    const answer = await admin.request({ method: 'GET', path });
    const status: unknown = isJsonObject(answer) ? answer['status'] : undefined;
    const conditions: unknown = isJsonObject(status) ? status['conditions'] : undefined;
    told = JSON.stringify(conditions ?? []);
    if (told.includes('"type":"Available"') && told.includes('"status":"True"')) return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`${path} is not available: ${told}`);
}

async function post(admin: KubeClient, path: string, body: JsonObject): Promise<void> {
  await admin.request({ method: 'POST', path, body: JSON.stringify(body) });
}

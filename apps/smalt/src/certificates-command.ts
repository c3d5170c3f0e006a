import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { loadConfig, logSettings, type ConfigSchema, type Logger } from '@smalt/service-runtime';
import { ensureCertificate, ensureKey, ensureNodeCertificates } from '@smalt/serving-certificate';

import type { CommandContext } from './command-context.ts';
import { commandLogger } from './command-logger.ts';
import { stopSignal } from './stop-signal.ts';

const TIMEOUT_MS = 300_000;

const NODES = {
  type: 'object',
  properties: {
    namespace: {
      type: 'string',
      default: '',
      description: 'where each node gets a Secret with a certificate for its libvirt; empty: none does',
    },
    selector: { type: 'string', default: '', description: 'which nodes get one, by their labels; empty: all' },
    authority: {
      type: 'string',
      minLength: 1,
      default: 'smalt-libvirt-ca',
      description: 'the Secret of the authority that signs them, which signs nothing else',
    },
  },
  required: ['namespace', 'selector', 'authority'],
} as const satisfies ConfigSchema;

const CERTIFICATES = {
  type: 'object',
  description: 'Makes the certificates and keys that services of a cluster read from Secrets, renews them, and ends.',
  properties: {
    kubeconfig: {
      type: 'string',
      default: '',
      description: 'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
    },
    namespace: { type: 'string', default: '', description: 'where the Secrets live; else that of the kubeconfig' },
    certificates: {
      type: 'array',
      items: { type: 'string', pattern: '^[a-z0-9.-]+=[^=+]+(\\+[^=+]+)*$' },
      default: [],
      description: 'a Secret and the names that its service is reached by, such as web-tls=web.shop.svc+web.example',
    },
    keys: {
      type: 'array',
      items: { type: 'string', pattern: '^[a-z0-9.-]+$' },
      default: [],
      description: 'Secrets with a random key, which is made once',
    },
    nodes: NODES,
    log: logSettings,
  },
  required: ['kubeconfig', 'namespace', 'certificates', 'keys', 'nodes', 'log'],
} as const satisfies ConfigSchema;

/** Sees to the Secrets that were named, once. Returns the exit code; a wrong configuration, or a cluster that refuses, is thrown. */
export async function certificatesCommand(context: CommandContext): Promise<number> {
  const { arguments: words, environment } = context;
  const loaded = await loadConfig(CERTIFICATES, {
    arguments: words,
    environment,
    programName: 'smalt certificates',
    environmentPrefix: 'SMALT_CERTIFICATES_',
  });
  if (loaded.kind === 'help') {
    context.output.write(loaded.text);
    return 0;
  }
  const { config } = loaded;
  const logger = commandLogger('certificates', config.log, context);
  const kubeConfig = await loadKubeConfig({ path: config.kubeconfig || undefined, environment });
  const namespace = config.namespace || kubeConfig.namespace;
  const signal = AbortSignal.any([stopSignal(context.process), AbortSignal.timeout(TIMEOUT_MS)]);
  await using client = new KubeClient({ config: kubeConfig, userAgent: 'smalt-certificates' });
  const place = { client, namespace, logger };
  for (const wish of config.certificates) await keepCertificate(place, wish, signal);
  for (const name of config.keys) {
    const isNew = await ensureKey({ client, namespace, name }, signal);
    logger.info({ resource: `${namespace}/${name}` }, isNew ? 'the key was made' : 'the key is there');
  }
  if (config.nodes.namespace !== '') await keepNodes(place, config.nodes, signal);
  return 0;
}

interface Place {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly logger: Logger;
}

interface NodeSettings {
  readonly namespace: string;
  readonly selector: string;
  readonly authority: string;
}

async function keepNodes(
  { client, namespace, logger }: Place,
  nodes: NodeSettings,
  signal: AbortSignal,
): Promise<void> {
  const [owner, now] = [nodes.authority.replace(/-ca$/, ''), new Date()];
  const place = { client, namespace, name: nodes.authority };
  const authority = await ensureCertificate(place, { owner, names: [owner], now }, signal);
  const made = await ensureNodeCertificates({ ...nodes, client, authority, owner, now }, signal);
  logger.info({ nodes: made }, `${made.length} nodes got a new certificate for libvirt`);
}

async function keepCertificate({ client, namespace, logger }: Place, wish: string, signal: AbortSignal): Promise<void> {
  const [name = '', names = ''] = wish.split('=');
  const wishes = { owner: name.replace(/-tls$/, ''), names: names.split('+'), now: new Date() };
  await ensureCertificate({ client, namespace, name }, wishes, signal);
  logger.info({ resource: `${namespace}/${name}`, names: wishes.names }, 'the certificate is good');
}

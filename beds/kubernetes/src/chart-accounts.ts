import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isAlreadyExists, type KubeClient, type KubeConfig } from '@smalt/kube';
import { runProgram } from '@smalt/libvirt-daemon';

import { BedKubernetesError } from './error.ts';
import { asksOf, type GrantedAsk, type RightsObject } from './granted-asks.ts';

const DEPLOY = resolve(import.meta.dirname, '../../../deploy');
const RIGHTS = join(DEPLOY, 'helm/smalt/files/rbac');
const RENDERED = join(DEPLOY, 'smalt.yaml');
const SYSTEM_NAMESPACE = 'smalt-system';
const SWITCH_NAMESPACE = 'ovn-system';
const CERTIFICATE_NAMESPACE = 'smalt-libvirt';
const TOKEN_SECONDS = 86_400;
const LOOK_MS = 50;
const KNOWN_MS = 60_000;

export interface ChartAccountsOptions {
  /** The administrator. */
  readonly admin: KubeClient;
  /** How kubectl reaches the same server. */
  readonly kubeconfig: string;
  /** The namespace of all of it; if not given they are those of the files: `smalt-system`, `ovn-system`, `smalt-libvirt`. */
  readonly namespace?: string | undefined;
}

/** Which objects of the chart are wanted. */
export interface ChartRights {
  /** Files of `deploy/helm/smalt/files/rbac`, without their ending. */
  readonly files: readonly string[];
  /** Names of roles and bindings that stand in a template of the chart: as `deploy/smalt.yaml` has them. */
  readonly rendered?: readonly string[] | undefined;
  /** Further namespaces that they are in. */
  readonly namespaces?: readonly string[] | undefined;
}

export interface ChartAccount {
  readonly name: string;
  /** The node that the token is bound to, as those of the pods of a node are. */
  readonly nodeName?: string | undefined;
  readonly audience?: string | undefined;
}

/** The accounts that components act as, with the rights that the chart gives them and no others. */
export class ChartAccounts {
  readonly #options: ChartAccountsOptions;

  constructor(options: ChartAccountsOptions) {
    this.#options = options;
  }

  /** Makes accounts, roles and policies of the chart, and resolves when the server goes by them. */
  async install({ files, rendered = [], namespaces = [] }: ChartRights, signal: AbortSignal): Promise<void> {
    const { namespace = SYSTEM_NAMESPACE, kubeconfig } = this.#options;
    const texts = await Promise.all(files.map((file) => readFile(join(RIGHTS, `${file}.yaml`), 'utf8')));
    const fromTemplates = rendered.length === 0 ? [] : await renderedRights(rendered);
    const text = this.#inNamespace([...texts, ...fromTemplates].join('\n---\n'));
    const others = [SWITCH_NAMESPACE, CERTIFICATE_NAMESPACE].filter((name) => text.includes(name));
    for (const name of new Set([namespace, 'kube-node-lease', ...others, ...namespaces])) {
      await this.#ensureNamespace(name);
    }
    const program = { name: 'kubectl', debianPackage: 'kubernetes-client' };
    // What it remembers of a server is of no use to the next one on the same port.
    const place = [`--kubeconfig=${kubeconfig}`, `--cache-dir=${join(dirname(kubeconfig), 'kubectl-cache')}`];
    const words = [...place, 'apply', '--filename=-', '--output=json'];
    const answer = await runProgram(program, words, { input: text, signal });
    const { items }: { readonly items?: readonly RightsObject[] } = Object(JSON.parse(answer.toString()));
    await Promise.all(asksOf(items ?? []).map((ask) => this.#untilGranted(ask, signal)));
  }

  /** How a component reaches the API as itself. */
  async config(account: ChartAccount): Promise<KubeConfig> {
    const token = await this.token(account);
    return { ...this.#options.admin.config, identity: { kind: 'token', token: { kind: 'text', text: token } } };
  }

  /** The same as a file, for a process of its own. */
  async kubeconfig(account: ChartAccount, directory: string): Promise<string> {
    const { server, tls } = this.#options.admin.config;
    const authority = tls.authority?.kind === 'text' ? tls.authority.text : '';
    const cluster = { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { token: await this.token(account) } }],
    };
    const path = join(directory, `${account.nodeName ?? 'cluster'}-${account.name}.kubeconfig`);
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  async token({ name, nodeName, audience }: ChartAccount): Promise<string> {
    const bound = nodeName === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
    const audiences = audience === undefined ? {} : { audiences: [audience] };
    const path = `/api/v1/namespaces/${this.#namespaceOf(name)}/serviceaccounts/${name}/token`;
    const body = JSON.stringify({ spec: { expirationSeconds: TOKEN_SECONDS, ...bound, ...audiences } });
    const answer: unknown = await this.#options.admin.request({ method: 'POST', path, body });
    const token: unknown = Object(Object(answer).status).token;
    if (typeof token === 'string') return token;
    throw new BedKubernetesError('not-ready', `the API server gave no token of ${name}`);
  }

  #namespaceOf(name: string): string {
    return this.#inNamespace(name === 'smalt-ovs-agent' ? SWITCH_NAMESPACE : SYSTEM_NAMESPACE);
  }

  /** As the chart does it: the release's namespace takes the place of those that stand there. */
  #inNamespace(text: string): string {
    const { namespace } = this.#options;
    if (namespace === undefined) return text;
    const known = [SYSTEM_NAMESPACE, SWITCH_NAMESPACE, CERTIFICATE_NAMESPACE];
    return known.reduce((changed, each) => changed.replaceAll(each, namespace), text);
  }

  async #ensureNamespace(name: string): Promise<void> {
    try {
      const body = JSON.stringify({ metadata: { name } });
      await this.#options.admin.request({ method: 'POST', path: '/api/v1/namespaces', body });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** The real server takes a moment to know of what it was told. */
  async #untilGranted(ask: GrantedAsk, given: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([given, AbortSignal.timeout(KNOWN_MS)]);
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const body = JSON.stringify({ spec: ask });
    while (!signal.aborted) {
      const answer: unknown = await this.#options.admin.request({ method: 'POST', path, body, signal });
      if (Object(Object(answer).status).allowed === true) return;
      await delay(LOOK_MS, undefined, { signal });
    }
    signal.throwIfAborted();
  }
}

/** Roles and bindings of the rendered chart, by their names. */
async function renderedRights(names: readonly string[]): Promise<readonly string[]> {
  const documents = (await readFile(RENDERED, 'utf8')).split(/^---$/mv);
  return documents.filter((document) => {
    const name = /^metadata:\n(?: {2}.*\n)*? {2}name: (?<name>\S+)$/mv.exec(document)?.groups?.['name'] ?? '';
    return /^kind: (?:ServiceAccount|(?:Cluster)?Role(?:Binding)?)$/mv.test(document) && names.includes(name);
  });
}

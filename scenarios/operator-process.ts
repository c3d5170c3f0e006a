import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ChartAccounts, freePorts, ServerProcess, type TestApiServer } from '@smalt/bed-kubernetes';
import type { KubeClient } from '@smalt/kube';

const REPOSITORY = resolve(import.meta.dirname, '..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');
const START_TIMEOUT_MS = 60_000;

export interface OperatorProcessOptions {
  /** How to reach the cloud: the variables of OpenStack's clients. */
  readonly cloud: Readonly<Record<string, string>>;
  readonly server: TestApiServer;
  /** Its administrator; the operator acts as itself. */
  readonly admin: KubeClient;
  /** The configuration file; JSON is YAML too. */
  readonly config: Readonly<Record<string, unknown>>;
}

interface Directory extends AsyncDisposable {
  readonly path: string;
}

/** `smalt operator` in a process of its own, set up as on a real cluster: by a configuration file and a clouds.yaml. */
export class OperatorProcess implements AsyncDisposable {
  readonly #command: readonly string[];
  readonly #directory: Directory;
  readonly #health: string;
  #process: ServerProcess | undefined;

  private constructor(command: readonly string[], directory: Directory, health: string) {
    this.#command = command;
    this.#directory = directory;
    this.#health = health;
  }

  static async start({ cloud, server, admin, config }: OperatorProcessOptions): Promise<OperatorProcess> {
    await using stack = new AsyncDisposableStack();
    const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-operator-')));
    const accounts = new ChartAccounts({ admin, kubeconfig: server.kubeconfig });
    const rights = { files: ['hypervisor-operator'], namespaces: ['nova', 'monsoon3'] };
    await accounts.install(rights, AbortSignal.timeout(START_TIMEOUT_MS));
    const kubeconfig = await accounts.kubeconfig({ name: 'smalt-hypervisor-operator' }, directory.path);
    const [port = 0] = await freePorts(1);
    const health = `127.0.0.1:${port}`;
    const configFile = join(directory.path, 'operator.yaml');
    const cloudsFile = join(directory.path, 'clouds.yaml');
    await writeFile(configFile, JSON.stringify({ kubeconfig, healthProbeBindAddress: health, ...config }));
    await writeFile(cloudsFile, JSON.stringify({ clouds: { bed: cloudSettings(cloud) } }), { mode: 0o600 });
    const variables = [`OS_CLIENT_CONFIG_FILE=${cloudsFile}`, 'OS_CLOUD=bed'];
    const command = ['/usr/bin/env', ...variables, NODE, MAIN, 'operator', '--config', configFile];
    const operator = new OperatorProcess(command, directory, health);
    await operator.restart();
    stack.move();
    return operator;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** Starts it, or once more after `kill`; resolves when it is ready. */
  async restart(): Promise<void> {
    const process = ServerProcess.start('smalt operator', this.#command, join(this.#directory.path, 'operator.log'));
    this.#process = process;
    await process.whenReady(() => isReady(this.#health), AbortSignal.timeout(START_TIMEOUT_MS));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    await this.#directory[Symbol.asyncDispose]();
  }
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`http://${address}/readyz`)).ok;
  } catch {
    return false;
  }
}

function cloudSettings(variables: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const { OS_AUTH_URL, OS_REGION_NAME, ...others } = variables;
  const auth = Object.fromEntries(
    Object.entries(others)
      .filter(([name]) => name !== 'OS_IDENTITY_API_VERSION')
      .map(([name, value]) => [name.slice('OS_'.length).toLowerCase(), value]),
  );
  return { region_name: OS_REGION_NAME, auth: { auth_url: OS_AUTH_URL, ...auth } };
}

import { join } from 'node:path';

import { canConnect, SYSTEM_PATH } from '@smalt/libvirt-daemon';

import { CLOUD_PATHS } from './cloud-paths.ts';
import type { CloudNamespace } from './cloud-namespace.ts';
import { endpointsOf } from './configuration/cloud-address.ts';
import type { CloudAddress } from './configuration/cloud-address.ts';
import { glanceConfiguration, glancePaste } from './configuration/glance-configuration.ts';
import { keystoneConfiguration } from './configuration/keystone-configuration.ts';
import { novaConfiguration, novaPaste } from './configuration/nova-configuration.ts';
import type { NovaSettings } from './configuration/nova-configuration.ts';
import { placementConfiguration } from './configuration/placement-configuration.ts';
import { programsDirectory } from './programs-directory.ts';
import { ServiceLog } from './service-log.ts';
import type { ServiceProcess } from './service-process.ts';

const PYTHON = '/usr/bin/python3';
const ROOT = `${CLOUD_PATHS.software}/root`;
const DATABASE_WORDS = [
  '--no-defaults',
  `--basedir=${ROOT}/usr`,
  `--lc-messages-dir=${ROOT}/usr/share/mysql`,
  `--character-sets-dir=${ROOT}/usr/share/mysql/charsets`,
  `--datadir=${CLOUD_PATHS.state}/database`,
  '--user=root',
] as const;

// A second of what it was told may be lost with the power of the machine, nothing when it is killed.
const DURABLE_WORDS = ['--innodb-flush-log-at-trx-commit=2'] as const;
const FORGETFUL_WORDS = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-flush-method=nosync',
] as const;

/** Whether the programs may keep what Python compiles, as they do once, when the software is made ready. */
type Bytecode = 'write' | 'read';

export interface CloudServicesOptions {
  readonly namespace: CloudNamespace;
  readonly bytecode: Bytecode;
  /** Whether the database keeps what it was told when its process is killed; slower. */
  readonly isDurable?: boolean | undefined;
  /** Holds further drivers of Nova's. */
  readonly driversDirectory?: string | undefined;
}

/** The servers of one cloud, as processes of its namespaces. */
export class CloudServices {
  readonly namespace: CloudNamespace;
  readonly #options: CloudServicesOptions;
  readonly #running: ServiceProcess[] = [];
  readonly #logs: ServiceLog[] = [];

  constructor(options: CloudServicesOptions) {
    this.namespace = options.namespace;
    this.#options = options;
  }

  /** Writes the configuration of every service. */
  async configure(settings: NovaSettings & { readonly tokenSeconds: number }): Promise<void> {
    const { address, password, logging } = settings;
    const files = {
      'keystone.conf': keystoneConfiguration(settings.tokenSeconds, logging),
      'placement.conf': placementConfiguration(address, password, logging),
      'glance-api.conf': glanceConfiguration(address, password, logging),
      'glance-api-paste.ini': glancePaste(),
      'nova.conf': novaConfiguration(settings),
      'nova-api-paste.ini': novaPaste(),
    };
    for (const [name, text] of Object.entries(files)) await this.namespace.write(configurationPath(name), text);
  }

  /** Fills an empty directory with MariaDB's own tables. */
  async createDatabase(signal: AbortSignal): Promise<void> {
    const words = ['--auth-root-authentication-method=normal', '--skip-test-db'];
    await this.#run(['mariadb-install-db', ...DATABASE_WORDS, ...words], signal);
  }

  /** Starts MariaDB, without a network. */
  async startDatabase(signal: AbortSignal): Promise<ServiceProcess> {
    const database = await this.#serve('database', [
      `${ROOT}/usr/sbin/mariadbd`,
      ...DATABASE_WORDS,
      `--socket=${CLOUD_PATHS.databaseSocket}`,
      `--pid-file=${CLOUD_PATHS.cloud}/database.pid`,
      `--tmpdir=${CLOUD_PATHS.cloud}/tmp`,
      '--skip-networking',
      '--skip-log-bin',
      ...(this.#options.isDurable === true ? DURABLE_WORDS : FORGETFUL_WORDS),
      '--innodb-buffer-pool-size=48M',
      '--innodb-log-file-size=16M',
      '--max-connections=400',
      '--performance-schema=OFF',
      '--character-set-server=utf8mb3',
      '--collation-server=utf8mb3_general_ci',
    ]);
    const socket = this.namespace.outside(CLOUD_PATHS.databaseSocket);
    await database.whenReady(() => canConnect(socket), signal);
    return database;
  }

  /** Has MariaDB carry out statements. */
  async query(statements: string, signal: AbortSignal): Promise<string> {
    const words = ['--no-defaults', '--user=root', `--socket=${CLOUD_PATHS.databaseSocket}`, '--skip-column-names'];
    return this.#run(['mariadb', ...words], signal, { input: statements });
  }

  /** Runs a Python program of ours to its end. */
  async runPython(words: readonly string[], signal: AbortSignal, secrets: Environment = {}): Promise<void> {
    await this.#run([PYTHON, ...words], signal, { secrets });
  }

  /** Makes what Keystone lacks of its schema and keys, and gives the administrator this password. */
  async setUpKeystone(password: string, signal: AbortSignal): Promise<void> {
    const words = [program('set_up_keystone.py'), configurationPath('keystone.conf')];
    await this.runPython(words, signal, { ADMIN_PASSWORD: password });
  }

  /** Starts Keystone, Placement and Glance, and resolves once they answer. */
  async startWebServices(address: CloudAddress, signal: AbortSignal): Promise<void> {
    const { identity, placement, image } = endpointsOf(address);
    const services = {
      keystone: [address.identityPort, 'keystone.server.wsgi:initialize_public_application'],
      placement: [address.placementPort, 'placement.wsgi:init_application'],
      glance: [address.imagePort, 'glance.common.wsgi_app:init_app'],
    } as const;
    const wishes = Object.entries(services).map(([name, [port, factory]]) => `${name}=${port}=${factory}`);
    const web = await this.#serve('web', [PYTHON, program('serve.py'), address.host, CLOUD_PATHS.logs, ...wishes]);
    for (const name of Object.keys(services)) this.#logs.push(new ServiceLog(name, this.namespace.logPath(name)));
    await Promise.all([identity, placement, image].map((url) => web.whenReady(() => answers(url), signal)));
  }

  /** Starts Nova, yet without computes, and resolves once it answers. */
  async startNova(address: CloudAddress, signal: AbortSignal): Promise<void> {
    const { identity, placement, compute } = endpointsOf(address);
    const drivers = this.#options.driversDirectory ?? '';
    const words = [configurationPath('nova.conf'), CLOUD_PATHS.controlSocket, drivers, identity, placement];
    const nova = await this.#serve('nova', [PYTHON, program('run_nova.py'), ...words]);
    const socket = this.namespace.outside(CLOUD_PATHS.controlSocket);
    const isReady = async (): Promise<boolean> => (await canConnect(socket)) && (await answers(compute));
    await nova.whenReady(isReady, signal);
  }

  /** Resolves with the last words of the first service that ends. Never rejects. */
  async ended(): Promise<string> {
    const first = await Promise.race(this.#running.map((service) => service.ended.then(() => service)));
    return await first.lastWords();
  }

  /** The last lines of every service. */
  async logTail(maxLines: number): Promise<string> {
    const tails = this.#logs.map(async (each) => `== ${each.name}\n${await each.tail(maxLines)}\n`);
    return (await Promise.all(tails)).join('');
  }

  async #serve(name: string, command: readonly [string, ...string[]]): Promise<ServiceProcess> {
    const service = await this.namespace.serve(name, command, this.#environment());
    this.#logs.push(service.log);
    this.#running.push(service);
    return service;
  }

  async #run(
    command: readonly [string, ...string[]],
    signal: AbortSignal,
    more: { readonly input?: string; readonly secrets?: Environment } = {},
  ): Promise<string> {
    const environment = { ...this.#environment(), ...more.secrets };
    return this.namespace.run(command, { environment, signal, input: more.input });
  }

  #environment(): Environment {
    const libraries = [`${ROOT}/usr/lib/x86_64-linux-gnu`, `${ROOT}/lib/x86_64-linux-gnu`];
    return {
      PATH: `${ROOT}/usr/sbin:${ROOT}/usr/bin:${SYSTEM_PATH}`,
      LD_LIBRARY_PATH: libraries.join(':'),
      LC_ALL: 'C.UTF-8',
      HOME: CLOUD_PATHS.cloud,
      TMPDIR: `${CLOUD_PATHS.cloud}/tmp`,
      PYTHONPATH: `${programsDirectory()}:${ROOT}/usr/lib/python3/dist-packages`,
      PYTHONNOUSERSITE: '1',
      PYTHONWARNINGS: 'ignore',
      PYTHONPYCACHEPREFIX: `${CLOUD_PATHS.software}/bytecode`,
      ...(this.#options.bytecode === 'read' && { PYTHONDONTWRITEBYTECODE: '1' }),
      EVENTLET_NO_GREENDNS: 'yes',
      // Many green threads in one real one: more arenas only hold more memory.
      MALLOC_ARENA_MAX: '2',
      OS_KEYSTONE_CONFIG_DIR: CLOUD_PATHS.configuration,
      OS_KEYSTONE_CONFIG_FILES: 'keystone.conf',
      OS_PLACEMENT_CONFIG_DIR: CLOUD_PATHS.configuration,
      OS_GLANCE_CONFIG_DIR: CLOUD_PATHS.configuration,
    };
  }
}

type Environment = Readonly<Record<string, string>>;

/** Where a file of the configuration lies inside the cloud. */
export function configurationPath(name: string): string {
  return `${CLOUD_PATHS.configuration}/${name}`;
}

/** The path of a Python program of ours. */
export function program(name: string): string {
  return join(programsDirectory(), name);
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

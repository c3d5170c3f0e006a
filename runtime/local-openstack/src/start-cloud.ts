import { setTimeout as delay } from 'node:timers/promises';

import type { CloudClient } from './cloud-client.ts';
import type { CloudNamespace } from './cloud-namespace.ts';
import { lookForComputes, missingSightings } from './cloud-readiness.ts';
import { CloudServices } from './cloud-services.ts';
import { adminCredentials } from './cloud-users.ts';
import { endpointsOf } from './configuration/cloud-address.ts';
import type { CloudAddress, ServiceType } from './configuration/cloud-address.ts';
import type { CloudSettings } from './default-settings.ts';
import { LocalOpenStackError } from './local-openstack-error.ts';
import { startNetworkService } from './network-service.ts';
import type { ServiceProcess } from './service-process.ts';
import { ATTEMPT_MS, untilLetIn } from './until-let-in.ts';

const POLL_MS = 100;
const LOG_LINES = 40;
const SHUTDOWN_MS = 20_000;

export interface CloudOptions {
  /** Where it lives; it goes with its owner, not with the cloud. */
  readonly namespace: CloudNamespace;
  readonly address: CloudAddress;
  readonly settings: CloudSettings;
  /** That of the administrator. */
  readonly password: string;
  /** Whether the state was made by another, with another password and without keys. */
  readonly isAdopted?: boolean | undefined;
  /** Whether the database keeps what it was told when its process is killed; slower. */
  readonly isDurable?: boolean | undefined;
  /** Holds further drivers of Nova's. */
  readonly driversDirectory?: string | undefined;
}

/** The running services of a cloud; Nova has no computes until they are started. Disposing of it closes a database that is kept. */
export interface Cloud extends AsyncDisposable {
  readonly endpoints: Readonly<Record<ServiceType, string>>;
  /** Of the administrator. */
  readonly client: CloudClient;
  /** Resolves with the last words of the first service that ends. Never rejects. */
  readonly ended: Promise<string>;
  /** Resolves once every one of these hosts can take servers; rejects with what is missing when the signal fires. */
  waitUntilReady(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** The last lines of every service's log. */
  logTail(maxLines?: number): Promise<string>;
  /** What to tell of something that went wrong: the last words of the services, where nothing better is known. */
  explain(cause: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Starts the services of a cloud, and resolves once they let its administrator in. */
export async function startCloud(options: CloudOptions, signal: AbortSignal): Promise<Cloud> {
  const { namespace, address, password, isDurable, driversDirectory } = options;
  const services = new CloudServices({ namespace, bytecode: 'read', isDurable, driversDirectory });
  await using owner = new AsyncDisposableStack();
  try {
    owner.use(await startNetworkService(address.host, address.networkPort));
    await services.configure({ ...options.settings, address, password });
    const database = await services.startDatabase(signal);
    // What nobody keeps is simply killed.
    if (isDurable === true) owner.defer(() => closeDatabase(services, database));
    await services.query(catalogStatements(address), signal);
    if (options.isAdopted === true) await services.setUpKeystone(password, signal);
    await Promise.all([services.startWebServices(address, signal), services.startNova(address, signal)]);
    const client = await letIn(services, options, signal);
    return new RunningCloud({ address, client, services, owned: owner.move() });
  } catch (cause) {
    throw await explain(cause, services, signal);
  }
}

/** The kept catalog names the address of the cloud that was seeded. */
function catalogStatements(address: CloudAddress): string {
  const cases = Object.entries(endpointsOf(address)).map(([type, url]) => `when '${type}' then '${url}'`);
  return `update keystone.endpoint join keystone.service on endpoint.service_id = service.id
    set endpoint.url = case service.type ${cases.join(' ')} end;`;
}

/** Nobody waits for an answer of a service that has ended. */
async function letIn(services: CloudServices, options: CloudOptions, signal: AbortSignal): Promise<CloudClient> {
  const over = new AbortController();
  const ended = services.ended().then((words) => {
    throw new LocalOpenStackError('service-failed', words);
  });
  try {
    const until = AbortSignal.any([signal, over.signal]);
    const attempts = untilLetIn(endpointsOf(options.address), adminCredentials(options.password), until);
    return (await Promise.race([attempts, ended])).until(signal);
  } finally {
    over.abort();
  }
}

async function closeDatabase(services: CloudServices, database: ServiceProcess): Promise<void> {
  const signal = AbortSignal.timeout(SHUTDOWN_MS);
  // One that cannot be told so is killed with the namespaces, and recovers when it starts.
  await services.query('shutdown;', signal).then(
    () => Promise.race([database.ended, delay(SHUTDOWN_MS, undefined, { ref: false })]),
    () => undefined,
  );
}

async function explain(cause: unknown, services: CloudServices, signal: AbortSignal): Promise<unknown> {
  if (cause instanceof LocalOpenStackError) return cause;
  const why = signal.aborted ? 'was not ready in time, or was given up' : 'could not be started';
  return new LocalOpenStackError('not-ready', `The cloud ${why}:\n${await services.logTail(LOG_LINES)}`, { cause });
}

interface CloudParts {
  readonly address: CloudAddress;
  readonly client: CloudClient;
  readonly services: CloudServices;
  readonly owned: AsyncDisposable;
}

class RunningCloud implements Cloud {
  readonly endpoints: Readonly<Record<ServiceType, string>>;
  readonly client: CloudClient;
  readonly ended: Promise<string>;
  readonly #parts: CloudParts;

  constructor(parts: CloudParts) {
    this.#parts = parts;
    this.endpoints = endpointsOf(parts.address);
    this.client = parts.client;
    this.ended = parts.services.ended();
  }

  async waitUntilReady(names: readonly string[], signal: AbortSignal): Promise<void> {
    let missing: readonly string[] = ['Nova and Placement have not answered'];
    while (!signal.aborted) {
      const attempt = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
      try {
        missing = missingSightings(names, await lookForComputes(this.client.until(attempt), this.endpoints));
      } catch (cause) {
        if (!attempt.aborted) throw cause;
      }
      if (missing.length === 0) return;
      await delay(POLL_MS);
    }
    throw new LocalOpenStackError('not-ready', `The cloud is not ready: ${missing.join(', ')}`);
  }

  async logTail(maxLines: number = LOG_LINES): Promise<string> {
    return await this.#parts.services.logTail(maxLines);
  }

  async explain(cause: unknown, signal: AbortSignal): Promise<unknown> {
    return await explain(cause, this.#parts.services, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.owned[Symbol.asyncDispose]();
  }
}

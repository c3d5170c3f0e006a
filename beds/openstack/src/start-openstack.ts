import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { CloudClient } from './cloud-client.ts';
import type { CloudCredentials } from './cloud-client.ts';
import type { CloudCompute } from './cloud-compute.ts';
import { CloudNamespace } from './cloud-namespace.ts';
import { CLOUD_PATHS } from './cloud-paths.ts';
import { lookForComputes, missingSightings } from './cloud-readiness.ts';
import { CloudServices } from './cloud-services.ts';
import { adminCredentials, memberCredentials } from './cloud-users.ts';
import { REGION } from './configuration/authentication.ts';
import { endpointsOf } from './configuration/cloud-address.ts';
import type { CloudAddress, ServiceType } from './configuration/cloud-address.ts';
import { DEFAULT_SETTINGS } from './default-settings.ts';
import type { CloudSettings } from './default-settings.ts';
import { OpenStackBedError } from './error.ts';
import { FakeCompute } from './fake-compute.ts';
import { LibvirtFleet } from './libvirt-fleet.ts';
import { startNetworkService } from './network-service.ts';
import { ensureSoftware } from './software/ensure-software.ts';
import { drawAddress, passwordFile } from './software/make-state.ts';

const START_TIMEOUT_MS = 180_000;
const POLL_MS = 100;
const LOG_LINES = 40;
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

export interface OpenStackOptions {
  /** The names of the hypervisors; `node-a`, `node-b` and `node-c` by default. */
  readonly computes?: readonly string[] | undefined;
  /** `fake` by default, whose guests only pretend; `libvirt` gives every compute a libvirt host with real QEMU. */
  readonly driver?: 'fake' | 'libvirt' | undefined;
  /** How long tokens live; an hour by default. */
  readonly tokenSeconds?: number | undefined;
  /** How often a compute service tells that it is alive; 1 by default. */
  readonly reportSeconds?: number | undefined;
  /** How long it may be silent before Nova calls it down; 8 by default. */
  readonly downSeconds?: number | undefined;
  /** How many guests may move away from one host at a time; 1 by default, as is Nova's. */
  readonly concurrentLiveMigrations?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A running cloud of our own. */
export interface OpenStackCloud extends AsyncDisposable {
  readonly authUrl: string;
  readonly region: string;
  readonly adminCredentials: CloudCredentials;
  /** A user without rights beyond the project `test`, where the administrator has a role too. */
  readonly memberCredentials: CloudCredentials;
  readonly endpoints: Readonly<Record<ServiceType, string>>;
  readonly computes: readonly CloudCompute[];
  /** From the first process to a cloud that is ready. */
  readonly startMs: number;
  /** The variables that OpenStack's clients read. */
  environment(credentials?: CloudCredentials): Readonly<Record<string, string>>;
  /** The compute of that name. */
  compute(name: string): CloudCompute;
  /** The last lines of every service's log. */
  logTail(maxLines?: number): Promise<string>;
}

/** Starts a cloud and resolves once every host can take servers. It ends with this process, however that ends. */
export async function startOpenStack(options: OpenStackOptions = {}): Promise<OpenStackCloud> {
  const names = options.computes ?? ['node-a', 'node-b', 'node-c'];
  checkNames(names);
  const softwareDirectory = await ensureSoftware({ signal: options.signal });
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const password = await readFile(passwordFile(softwareDirectory), 'utf8');
  const began = performance.now();
  await using owner = new AsyncDisposableStack();
  const namespace = owner.use(await CloudNamespace.open({ softwareDirectory, hasState: true }));
  const services = new CloudServices({ namespace, bytecode: 'read' });
  const address = await drawAddress();
  owner.use(await startNetworkService(address.host, address.networkPort));
  try {
    const controlSocket = namespace.outside(CLOUD_PATHS.controlSocket);
    const fleet = options.driver === 'libvirt' ? owner.use(await LibvirtFleet.start(names, controlSocket)) : undefined;
    await services.configure({ ...settingsOf(options), ...fleet?.settings, address, password });
    await startServices(services, address, signal);
    const computes = fleet?.computes ?? names.map((name) => new FakeCompute(name, controlSocket));
    await Promise.all(computes.map((compute) => compute.start(signal)));
    await waitUntilReady({ address, password, names, signal });
    const cloud = new Cloud({ address, password, computes, services, startMs: performance.now() - began });
    cloud.own(owner.move());
    return cloud;
  } catch (cause) {
    throw await explain(cause, services, signal);
  }
}

function checkNames(names: readonly string[]): void {
  const bad = names.find((name, index) => !HOST_NAME.test(name) || names.indexOf(name) !== index);
  if (bad === undefined) return;
  throw new OpenStackBedError('invalid-option', `computes: ${JSON.stringify(bad)} is no host name, or is there twice`);
}

function settingsOf(options: OpenStackOptions): CloudSettings {
  return {
    ...DEFAULT_SETTINGS,
    tokenSeconds: options.tokenSeconds ?? DEFAULT_SETTINGS.tokenSeconds,
    reportSeconds: options.reportSeconds ?? DEFAULT_SETTINGS.reportSeconds,
    downSeconds: options.downSeconds ?? DEFAULT_SETTINGS.downSeconds,
    concurrentLiveMigrations: options.concurrentLiveMigrations ?? DEFAULT_SETTINGS.concurrentLiveMigrations,
  };
}

async function startServices(services: CloudServices, address: CloudAddress, signal: AbortSignal): Promise<void> {
  await services.startDatabase(signal);
  await services.query(catalogStatements(address), signal);
  await Promise.all([services.startWebServices(address, signal), services.startNova(address, signal)]);
}

/** The kept catalog names the address of the cloud that was seeded. */
function catalogStatements(address: CloudAddress): string {
  const cases = Object.entries(endpointsOf(address)).map(([type, url]) => `when '${type}' then '${url}'`);
  return `update keystone.endpoint join keystone.service on endpoint.service_id = service.id
    set endpoint.url = case service.type ${cases.join(' ')} end;`;
}

interface Readiness {
  readonly address: CloudAddress;
  readonly password: string;
  readonly names: readonly string[];
  readonly signal: AbortSignal;
}

async function waitUntilReady({ address, password, names, signal }: Readiness): Promise<void> {
  const endpoints = endpointsOf(address);
  const client = await CloudClient.logIn(endpoints.identity, adminCredentials(password), signal);
  let missing = missingSightings(names, await lookForComputes(client, endpoints));
  while (missing.length > 0) {
    if (signal.aborted) throw new OpenStackBedError('not-ready', `The cloud is not ready: ${missing.join(', ')}`);
    await delay(POLL_MS);
    missing = missingSightings(names, await lookForComputes(client, endpoints));
  }
}

async function explain(cause: unknown, services: CloudServices, signal: AbortSignal): Promise<unknown> {
  if (cause instanceof OpenStackBedError) return cause;
  const why = signal.aborted ? 'was not ready in time, or was given up' : 'could not be started';
  return new OpenStackBedError('not-ready', `The cloud ${why}:\n${await services.logTail(LOG_LINES)}`, { cause });
}

interface CloudParts {
  readonly address: CloudAddress;
  readonly password: string;
  readonly computes: readonly CloudCompute[];
  readonly services: CloudServices;
  readonly startMs: number;
}

class Cloud implements OpenStackCloud {
  readonly authUrl: string;
  readonly region: string = REGION;
  readonly adminCredentials: CloudCredentials;
  readonly memberCredentials: CloudCredentials;
  readonly endpoints: Readonly<Record<ServiceType, string>>;
  readonly computes: readonly CloudCompute[];
  readonly startMs: number;
  readonly #services: CloudServices;
  readonly #owned: AsyncDisposableStack = new AsyncDisposableStack();

  constructor(parts: CloudParts) {
    this.endpoints = endpointsOf(parts.address);
    this.authUrl = this.endpoints.identity;
    this.adminCredentials = adminCredentials(parts.password);
    this.memberCredentials = memberCredentials(parts.password);
    this.computes = parts.computes;
    this.startMs = parts.startMs;
    this.#services = parts.services;
  }

  environment(credentials: CloudCredentials = this.adminCredentials): Readonly<Record<string, string>> {
    return {
      OS_AUTH_URL: this.authUrl,
      OS_USERNAME: credentials.username,
      OS_PASSWORD: credentials.password,
      OS_PROJECT_NAME: credentials.projectName,
      OS_USER_DOMAIN_NAME: credentials.userDomainName,
      OS_PROJECT_DOMAIN_NAME: credentials.projectDomainName,
      OS_REGION_NAME: this.region,
      OS_IDENTITY_API_VERSION: '3',
    };
  }

  compute(name: string): CloudCompute {
    const found = this.computes.find((compute) => compute.name === name);
    if (found) return found;
    throw new OpenStackBedError('invalid-option', `name: the cloud has no compute ${name}`);
  }

  async logTail(maxLines: number = LOG_LINES): Promise<string> {
    return this.#services.logTail(maxLines);
  }

  /** Hands over what goes when the cloud goes. */
  own(resources: AsyncDisposable): void {
    this.#owned.use(resources);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

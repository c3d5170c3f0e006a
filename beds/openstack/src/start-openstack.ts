import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { openBedDirectory } from '@smalt/bed-libvirt';
import {
  adminCredentials,
  CLOUD_PATHS,
  cloudEnvironment,
  CloudNamespace,
  DEFAULT_SETTINGS,
  drawAddress,
  ensureSoftware,
  memberCredentials,
  passwordFile,
  REGION,
  startCloud,
  type Cloud,
  type CloudCredentials,
  type CloudSettings,
  type ServiceType,
} from '@smalt/local-openstack';

import type { CloudCompute } from './cloud-compute.ts';
import { OpenStackBedError } from './error.ts';
import { FakeCompute } from './fake-compute.ts';
import { LibvirtFleet } from './libvirt-fleet.ts';

const START_TIMEOUT_MS = 180_000;
const FAKE_DRIVER = 'bed_fake.BedFakeDriver';
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
  const directory = owner.use(await openBedDirectory());
  const namespace = owner.use(
    await CloudNamespace.open({
      softwareDirectory,
      state: 'copied',
      outputFile: join(directory.path, 'namespace.log'),
      // The disks of guests lie in the directory of all beds.
      writable: [dirname(directory.path)],
    }),
  );
  const controlSocket = namespace.outside(CLOUD_PATHS.controlSocket);
  const fleet = options.driver === 'libvirt' ? owner.use(await LibvirtFleet.start(names, controlSocket)) : undefined;
  const settings = { ...settingsOf(options), ...fleet?.settings };
  const address = await drawAddress();
  const driversDirectory = join(import.meta.dirname, 'python');
  const cloud = owner.use(await startCloud({ namespace, address, settings, password, driversDirectory }, signal));
  const computes = fleet?.computes ?? names.map((name) => new FakeCompute(name, controlSocket));
  try {
    await Promise.all(computes.map((compute) => compute.start(signal)));
    await cloud.waitUntilReady(names, signal);
  } catch (cause) {
    throw await cloud.explain(cause, signal);
  }
  return new BedCloud({ cloud, password, computes, startMs: performance.now() - began, owned: owner.move() });
}

function checkNames(names: readonly string[]): void {
  const bad = names.find((name, index) => !HOST_NAME.test(name) || names.indexOf(name) !== index);
  if (bad === undefined) return;
  throw new OpenStackBedError('invalid-option', `computes: ${JSON.stringify(bad)} is no host name, or is there twice`);
}

function settingsOf(options: OpenStackOptions): CloudSettings {
  return {
    ...DEFAULT_SETTINGS,
    driver: FAKE_DRIVER,
    tokenSeconds: options.tokenSeconds ?? DEFAULT_SETTINGS.tokenSeconds,
    reportSeconds: options.reportSeconds ?? DEFAULT_SETTINGS.reportSeconds,
    downSeconds: options.downSeconds ?? DEFAULT_SETTINGS.downSeconds,
    concurrentLiveMigrations: options.concurrentLiveMigrations ?? DEFAULT_SETTINGS.concurrentLiveMigrations,
  };
}

interface CloudParts {
  readonly cloud: Cloud;
  readonly password: string;
  readonly computes: readonly CloudCompute[];
  readonly startMs: number;
  readonly owned: AsyncDisposable;
}

class BedCloud implements OpenStackCloud {
  readonly authUrl: string;
  readonly region: string = REGION;
  readonly adminCredentials: CloudCredentials;
  readonly memberCredentials: CloudCredentials;
  readonly endpoints: Readonly<Record<ServiceType, string>>;
  readonly computes: readonly CloudCompute[];
  readonly startMs: number;
  readonly #parts: CloudParts;

  constructor(parts: CloudParts) {
    this.#parts = parts;
    this.endpoints = parts.cloud.endpoints;
    this.authUrl = this.endpoints.identity;
    this.adminCredentials = adminCredentials(parts.password);
    this.memberCredentials = memberCredentials(parts.password);
    this.computes = parts.computes;
    this.startMs = parts.startMs;
  }

  environment(credentials: CloudCredentials = this.adminCredentials): Readonly<Record<string, string>> {
    return cloudEnvironment(this.authUrl, credentials);
  }

  compute(name: string): CloudCompute {
    const found = this.computes.find((compute) => compute.name === name);
    if (found) return found;
    throw new OpenStackBedError('invalid-option', `name: the cloud has no compute ${name}`);
  }

  async logTail(maxLines?: number): Promise<string> {
    return this.#parts.cloud.logTail(maxLines);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.owned[Symbol.asyncDispose]();
  }
}

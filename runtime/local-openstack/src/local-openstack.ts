import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { CloudClient } from './cloud-client.ts';
import { cloudEnvironment } from './cloud-environment.ts';
import { CloudNamespace } from './cloud-namespace.ts';
import { CLOUD_PATHS } from './cloud-paths.ts';
import { adminCredentials, MEMBER_NAME } from './cloud-users.ts';
import { DEFAULT_SETTINGS } from './default-settings.ts';
import { ensureAggregates, type Aggregate } from './ensure-aggregates.ts';
import { field } from './field.ts';
import { LocalOpenStackError } from './local-openstack-error.ts';
import { askNova } from './nova-control.ts';
import { keepAddress, keepPassword, keepState, noteOwner, turnLogs } from './kept-files.ts';
import { clientScript, openrcText } from './openrc.ts';
import { ensureSoftware } from './software/ensure-software.ts';
import { startCloud, type Cloud } from './start-cloud.ts';

const START_MS = 300_000;
/** Guests are not root, and have to get through to their disks. */
const PASSABLE = 0o711;
const PASSABLE_FOR_GROUP = 0o710;

export interface LocalOpenStackOptions {
  /** Holds all of it: databases, keys, images, the disks of servers, logs. Not below /run. */
  readonly directory: string;
  /** The group of guests, which alone get through to the disks of servers. */
  readonly guestGroup: string;
  /** The aggregates that it shall have; those with a zone are availability zones. */
  readonly aggregates: readonly Aggregate[];
  /** Hears what is being done: the first start takes minutes. */
  readonly onProgress: (words: string) => void;
}

/** A host with a libvirtd, on which Nova shall run servers. */
export interface ComputeHost {
  readonly name: string;
  /** By which the other hosts reach its libvirtd. */
  readonly address: string;
  /** By which this machine does. */
  readonly uri: string;
  /** By which it reaches those of the hosts that share its disks: what runs there is not started here as well. */
  readonly others?: readonly string[] | undefined;
}

/**
 * An OpenStack of this machine that keeps its state in a directory: Keystone, Placement, Glance and Nova. Its services end with this process,
 * however that ends; servers run on, on hosts that are none of its business, and the next one finds them again.
 */
export class LocalOpenStack implements AsyncDisposable {
  /** What OpenStack's clients need to get in as the administrator. */
  readonly environment: Readonly<Record<string, string>>;
  /** A file for `source`, with all that, and with the command `openstack`. */
  readonly openrcFile: string;
  /** Resolves with the last words of the first service that ends. Never rejects. */
  readonly ended: Promise<string>;
  readonly #cloud: Cloud;
  readonly #controlSocket: string;
  readonly #owned: AsyncDisposable;

  private constructor(directory: string, opened: OpenedCloud) {
    const { cloud, password, namespace, owned } = opened;
    this.#cloud = cloud;
    this.#controlSocket = namespace.outside(CLOUD_PATHS.controlSocket);
    this.#owned = owned;
    this.environment = cloudEnvironment(cloud.endpoints.identity, adminCredentials(password));
    this.openrcFile = join(directory, 'openrc');
    this.ended = cloud.ended;
  }

  /** Starts it, with the state that the directory has, or with a new one. */
  static async open(options: LocalOpenStackOptions, signal: AbortSignal): Promise<LocalOpenStack> {
    const { directory, guestGroup, aggregates, onProgress } = options;
    const softwareDirectory = await ensureSoftware({ onProgress, signal });
    onProgress('starting its services');
    const either = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
    await using owner = new AsyncDisposableStack();
    await makeDirectories(directory, guestGroup);
    const opened = await openCloud(directory, softwareDirectory, either);
    const openStack = owner.use(new LocalOpenStack(directory, opened));
    await ensureAggregates(opened.cloud, aggregates);
    await openStack.#writeWayIn(directory, softwareDirectory);
    owner.move();
    return openStack;
  }

  /** Starts Nova's compute service for a host whose libvirtd runs. */
  async startCompute({ name, uri, address, others = [] }: ComputeHost, signal: AbortSignal): Promise<void> {
    await askNova(this.#controlSocket, { host: name, verb: 'start', body: { uri, address, others }, signal });
  }

  /** Ends it without a farewell, as when its host is lost. */
  async cutCompute(name: string, signal: AbortSignal): Promise<void> {
    await askNova(this.#controlSocket, { host: name, verb: 'cut', signal });
  }

  /** Resolves once all of these hosts can take servers. */
  async waitUntilReady(names: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      await this.#cloud.waitUntilReady(names, signal);
    } catch (cause) {
      throw await this.#cloud.explain(cause, signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]();
  }

  async #writeWayIn(directory: string, softwareDirectory: string): Promise<void> {
    const programs = join(directory, 'bin');
    await mkdir(programs, { recursive: true, mode: 0o700 });
    await writeFile(join(programs, 'openstack'), clientScript(softwareDirectory), { mode: 0o700 });
    await writeFile(this.openrcFile, openrcText(this.environment, programs), { mode: 0o600 });
    await chmod(this.openrcFile, 0o600);
  }
}

/** Nova lets everybody read the disks of servers. */
async function makeDirectories(directory: string, guestGroup: string): Promise<void> {
  const instancesPath = join(directory, 'instances');
  await mkdir(directory, { recursive: true, mode: PASSABLE });
  await chmod(directory, PASSABLE);
  await mkdir(instancesPath, { recursive: true, mode: 0o700 });
  await chown(instancesPath, 0, await findGroup(guestGroup));
  await chmod(instancesPath, PASSABLE_FOR_GROUP);
}

async function findGroup(name: string): Promise<number> {
  const lines = (await readFile('/etc/group', 'utf8')).split('\n').map((line) => line.split(':'));
  const id = lines.find(([each]) => each === name)?.[2];
  if (id !== undefined) return Number(id);
  throw new LocalOpenStackError('unsupported-system', `This machine has no group ${name}, as which guests run`);
}

interface OpenedCloud {
  readonly cloud: Cloud;
  readonly password: string;
  readonly namespace: CloudNamespace;
  readonly owned: AsyncDisposable;
}

async function openCloud(directory: string, softwareDirectory: string, signal: AbortSignal): Promise<OpenedCloud> {
  const instancesPath = join(directory, 'instances');
  await turnLogs(directory);
  const password = await keepPassword(directory);
  const isAdopted = await keepState(directory, softwareDirectory);
  await using owner = new AsyncDisposableStack();
  const namespace = owner.use(
    await CloudNamespace.open({
      softwareDirectory,
      state: { directory },
      outputFile: join(directory, 'log', 'namespace.log'),
      writable: [instancesPath],
    }),
  );
  const address = await keepAddress(directory);
  const virtType = (await canAccelerate()) ? 'kvm' : 'qemu';
  const settings = { ...DEFAULT_SETTINGS, virtType, instancesPath, resumesGuests: true, logging: 'warnings' } as const;
  const cloud = owner.use(
    await startCloud({ namespace, address, settings, password, isAdopted, isDurable: true }, signal),
  );
  if (isAdopted) {
    await givePassword(cloud, password);
    await noteOwner(directory);
  }
  return { cloud, password, namespace, owned: owner.move() };
}

/** The other user has that of the state as it was found. */
async function givePassword({ client, endpoints }: Cloud, password: string): Promise<void> {
  const id = await findUser(client, endpoints.identity);
  await client.request(`${endpoints.identity}/users/${id}`, { method: 'PATCH', body: { user: { password } } });
}

async function findUser(client: CloudClient, identity: string): Promise<string> {
  const found = field(await client.request(`${identity}/users?name=${MEMBER_NAME}`), 'users');
  const id = field(Array.isArray(found) ? found[0] : undefined, 'id');
  if (typeof id === 'string') return id;
  throw new LocalOpenStackError('request-failed', `Keystone knows no user ${MEMBER_NAME}`);
}

async function canAccelerate(): Promise<boolean> {
  return await access('/dev/kvm', constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
}

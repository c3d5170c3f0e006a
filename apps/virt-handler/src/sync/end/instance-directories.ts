import { chmod, chown, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { keyOf, type ObjectKey } from '@smalt/controller-runtime';
import { writeFileSafely } from '@smalt/files';
import { parseJson } from '@smalt/json';
import type { SandboxProcess } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { GuestAccount } from '../../hypervisor-sessions/read-host-capabilities.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { Verdict } from '../decide/verdict.ts';
import type { InstanceRecord } from './instance-record.ts';
import { mountsBelow } from './mounts-below.ts';
import { readRecord } from './read-record.ts';
import { takeOverTree } from './take-over-tree.ts';
import { withAllVolumes } from './with-all-volumes.ts';

/** Passed by everyone, listed by root alone. */
const PASSABLE = 0o711;
/** What the account of the guests may write to. */
const SOCKETS = 'sockets';
const UID = /^[\dA-Za-z][\w-]{0,99}$/u;

export interface DirectoryOwner {
  readonly nodeName: string;
  /** The boot of the node that goes on now. */
  readonly bootId: string;
}

/**
 * The directories of the instances whose guests are on this node, `<root>/instances/<uid>`. Each node needs a root of its
 * own: two that shared one would write to the same disks. A record of another node is refused, and what lies beside it is
 * never removed.
 */
export class InstanceDirectories {
  readonly #root: string;
  readonly #owner: DirectoryOwner;
  /** By uid, the instances that have a record of this node. */
  readonly #keys = new Map<string, ObjectKey>();

  constructor(stateDirectory: string, owner: DirectoryOwner) {
    this.#root = join(stateDirectory, 'instances');
    this.#owner = owner;
  }

  /** Whether the node was booted since a record was written. */
  isOfEarlierBoot({ bootId }: InstanceRecord): boolean {
    return bootId !== this.#owner.bootId;
  }

  /** The instances that are known to have a record here, by uid. */
  get keys(): ReadonlyMap<string, ObjectKey> {
    return this.#keys;
  }

  /** Finds the records that an earlier handler of this node left. */
  async load(): Promise<void> {
    const uids = (await readdir(this.#root).catch(noneIfMissing)).filter((name) => UID.test(name));
    for (const uid of uids) {
      const record = await this.read(uid);
      if (record !== undefined) this.#keys.set(uid, keyOf(record.instance));
    }
  }

  /** Where the files of an instance are. Throws `bad-request` for a uid that is no name of a directory. */
  pathOf(instance: Pick<VirtualMachineInstance, 'metadata'>): string {
    return this.#path(instance.metadata.uid ?? '');
  }

  /**
   * Makes the directory of an instance and writes down what it is and which pod carries it, by which launcher. Throws
   * `conflict` when another node has its record there.
   */
  async prepare(
    instance: VirtualMachineInstance,
    podUid: string,
    account?: GuestAccount,
    launcher?: SandboxProcess,
  ): Promise<string> {
    const path = this.pathOf(instance);
    await this.#refuseShared(path);
    await mkdir(path, { recursive: true, mode: PASSABLE });
    // Whatever the umask of this process is.
    for (const directory of [this.#root, path]) await chmod(directory, PASSABLE);
    await this.#makeSockets(join(path, SOCKETS), account);
    const before = await this.read(instance.metadata.uid ?? '');
    const { bootId } = this.#owner;
    const isSame = before?.podUid === podUid && before.bootId === bootId;
    if (!isSame) await this.#write(path, { instance, podUid, bootId, launcher });
    else if (before.launcher === undefined && launcher !== undefined) await this.#write(path, { ...before, launcher });
    this.#keys.set(instance.metadata.uid ?? '', keyOf(instance));
    return path;
  }

  /** What this node has written down of an instance; undefined when it has not. */
  async read(uid: string): Promise<InstanceRecord | undefined> {
    const path = join(this.#path(uid), this.#fileName);
    try {
      return readRecord(parseJson(await readFile(path, 'utf8')), path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Writes down the instance as it is now, with all volumes that it ever had and that may have to be taken back. */
  async update(instance: VirtualMachineInstance): Promise<void> {
    const before = await this.read(instance.metadata.uid ?? '');
    await this.#change(instance, { instance: withAllVolumes(instance, before?.instance) });
  }

  /** Writes down that volumes were taken back while the guest runs on. */
  async forgetVolumes({ metadata }: VirtualMachineInstance, names: readonly string[]): Promise<void> {
    const before = await this.read(metadata.uid ?? '');
    if (before === undefined) return;
    const { instance } = before;
    const volumes = (instance.spec.volumes ?? []).filter(({ name }) => !names.includes(name));
    await this.#change(instance, { instance: { ...instance, spec: { ...instance.spec, volumes } } });
  }

  /** Writes down when a guest was first asked to shut down, by the clock of this node. */
  async writeShutdown(instance: VirtualMachineInstance, shutdownAskedAt: number): Promise<void> {
    await this.#change(instance, { shutdownAskedAt });
  }

  /** Writes down how an instance ended. Returns whether there is a record to write that to. */
  async writeVerdict(instance: VirtualMachineInstance, verdict: Verdict): Promise<boolean> {
    return await this.#change(instance, { verdict });
  }

  /**
   * Removes the record of this node, and the directory with all that is in it if no other node has a record there. Throws
   * `conflict` when something is mounted there: it is not ours.
   */
  async remove(uid: string): Promise<void> {
    const path = this.#path(uid);
    const others = await this.#othersIn(path);
    if (others.length === 0) await removeAll(path);
    else await rm(join(path, this.#fileName), { force: true });
    this.#keys.delete(uid);
  }

  async #refuseShared(path: string): Promise<void> {
    const [other] = await this.#othersIn(path);
    if (other === undefined) return;
    const message = `${join(path, other)} is the record of another node; give each node a state directory of its own, and remove the file if that node is no more`;
    throw new VirtHandlerError('conflict', message);
  }

  async #othersIn(path: string): Promise<readonly string[]> {
    const names = await readdir(path).catch(noneIfMissing);
    return names.filter((name) => RECORD.test(name) && name !== this.#fileName);
  }

  get #fileName(): string {
    return `record.${this.#owner.nodeName}.json`;
  }

  async #change(instance: VirtualMachineInstance, change: Partial<InstanceRecord>): Promise<boolean> {
    const before = await this.read(instance.metadata.uid ?? '');
    if (before === undefined) return false;
    await this.#write(this.pathOf(instance), { ...before, ...change });
    return true;
  }

  /** Sockets that the process of the guest makes itself need a directory that it may write to. */
  async #makeSockets(path: string, account: GuestAccount | undefined): Promise<void> {
    await mkdir(path, { recursive: true });
    if (account !== undefined) await chown(path, account.userId, account.groupId);
    await chmod(path, PASSABLE);
  }

  #path(uid: string): string {
    if (UID.test(uid)) return join(this.#root, uid);
    throw new VirtHandlerError('bad-request', `metadata.uid: "${uid}" is no uid`, { field: 'metadata.uid' });
  }

  async #write(path: string, record: InstanceRecord): Promise<void> {
    // For root alone: the instance may hold passwords for its guest.
    await writeFileSafely(join(path, this.#fileName), `${JSON.stringify(record)}\n`, { mode: 0o600 });
  }
}

const RECORD = /^record\..*\.json$/u;

async function removeAll(path: string): Promise<void> {
  const [mount] = await mountsBelow(path);
  if (mount !== undefined) {
    throw new VirtHandlerError('conflict', `${mount} is still mounted; what it shows must not be removed`);
  }
  // A process of that account may still be here, and `rm` goes by paths.
  await takeOverTree(join(path, SOCKETS));
  await rm(path, { recursive: true, force: true });
}

function noneIfMissing(error: unknown): readonly string[] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

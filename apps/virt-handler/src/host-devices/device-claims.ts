import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { oneAtATime } from '../network/one-at-a-time.ts';
import { unless } from '../storage/files/file-error.ts';
import type { NodeDevice } from './node-device.ts';

export interface DeviceClaimsOptions {
  /** Has a file for each device that a guest has. */
  readonly directory: string;
  /** Has a directory for each instance that is here, by its uid. */
  readonly instancesDirectory: string;
}

/** For what a device is. */
export interface DeviceUse {
  readonly uid: string;
  /** Its name in the instance, and the list that the name is in; earlier handlers did not write that down. */
  readonly name: string;
  readonly list?: DeviceList | undefined;
}

/** Where devices are named in an instance. A name can be in more than one of them. */
export type DeviceList = (typeof DEVICE_LISTS)[number];

const DEVICE_LISTS = ['gpus', 'hostDevices', 'interfaces'] as const;

/**
 * Which guest has which device of this node, where nobody else decides that. A claim is a file that can be made once, and goes
 * with the files of its instance, so a device never has two owners, whoever is killed.
 */
export class DeviceClaims {
  readonly #options: DeviceClaimsOptions;
  readonly #turn = oneAtATime();

  constructor(options: DeviceClaimsOptions) {
    this.#options = options;
  }

  /** The one of these devices that was claimed for this use before. */
  async find(devices: readonly NodeDevice[], use: DeviceUse): Promise<NodeDevice | undefined> {
    return await this.#turn(async () => ownOf(await this.#held(devices), use));
  }

  /**
   * The one of these devices that is for this use: the same as before, else the first that is free. Those of the node that the
   * hardware cannot keep apart are free together.
   */
  async claim(
    devices: readonly NodeDevice[],
    use: DeviceUse,
    all: readonly NodeDevice[],
  ): Promise<NodeDevice | undefined> {
    return await this.#turn(() => this.#claim(devices, use, all));
  }

  async #claim(
    devices: readonly NodeDevice[],
    use: DeviceUse,
    all: readonly NodeDevice[],
  ): Promise<NodeDevice | undefined> {
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    const held = await this.#held(devices);
    const own = ownOf(held, use);
    if (own !== undefined) return own;
    const others = (await this.#held(all)).filter(({ holder }) => holder !== undefined && holder.uid !== use.uid);
    const groups = new Set(others.flatMap(({ device }) => device.group ?? []));
    for (const { device, holder } of held) {
      const isFree = holder === undefined && (device.group === undefined || !groups.has(device.group));
      if (isFree && (await this.#take(device, use))) return device;
    }
    return undefined;
  }

  async #held(devices: readonly NodeDevice[]): Promise<readonly HeldDevice[]> {
    return await Promise.all(devices.map(async (device) => ({ device, holder: await this.#holder(device) })));
  }

  async #holder(device: NodeDevice): Promise<DeviceUse | undefined> {
    const text = await readFile(this.#fileOf(device), 'utf8').catch(unless('ENOENT'));
    if (text === undefined) return undefined;
    const use = readUse(text);
    if (use !== undefined && (await isThere(join(this.#options.instancesDirectory, use.uid)))) return use;
    // Its instance has gone, and its guest before that.
    await rm(this.#fileOf(device), { force: true });
    return undefined;
  }

  async #take(device: NodeDevice, use: DeviceUse): Promise<boolean> {
    try {
      await writeFile(this.#fileOf(device), JSON.stringify(use), { flag: 'wx', mode: 0o600, flush: true });
      return true;
    } catch (error) {
      // Another start was faster.
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
  }

  #fileOf({ id }: NodeDevice): string {
    return join(this.#options.directory, id);
  }
}

interface HeldDevice {
  readonly device: NodeDevice;
  readonly holder: DeviceUse | undefined;
}

function ownOf(held: readonly HeldDevice[], { uid, name, list }: DeviceUse): NodeDevice | undefined {
  return held.find(({ holder }) => {
    return holder?.uid === uid && holder.name === name && (holder.list ?? list) === list;
  })?.device;
}

function readUse(text: string): DeviceUse | undefined {
  try {
    const { uid, name, list: told } = Object(JSON.parse(text));
    const list = DEVICE_LISTS.find((each) => each === told);
    const isUse = typeof uid === 'string' && /^[\w-]+$/u.test(uid) && typeof name === 'string';
    return isUse ? { uid, name, list } : undefined;
  } catch {
    // Cut off by a loss of power: nobody had the device by then.
    return undefined;
  }
}

/** Whether it is there, which no failure but its absence denies: a device must not go to two guests. */
async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(unless('ENOENT'))) !== undefined;
}

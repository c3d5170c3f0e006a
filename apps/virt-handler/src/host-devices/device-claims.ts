import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { oneAtATime } from '../network/one-at-a-time.ts';
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
  /** Its name in the instance. */
  readonly name: string;
}

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

  /** The one of these devices that is for this use: the same as before, else the first that is free. */
  async claim(devices: readonly NodeDevice[], use: DeviceUse): Promise<NodeDevice | undefined> {
    return await this.#turn(() => this.#claim(devices, use));
  }

  async #claim(devices: readonly NodeDevice[], use: DeviceUse): Promise<NodeDevice | undefined> {
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    const holders = await Promise.all(devices.map(async (device) => ({ device, holder: await this.#holder(device) })));
    const own = holders.find(({ holder }) => holder?.uid === use.uid && holder.name === use.name);
    if (own !== undefined) return own.device;
    for (const { device, holder } of holders) {
      if (holder === undefined && (await this.#take(device, use))) return device;
    }
    return undefined;
  }

  async #holder(device: NodeDevice): Promise<DeviceUse | undefined> {
    const text = await readFile(this.#fileOf(device), 'utf8').catch(() => undefined);
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

function readUse(text: string): DeviceUse | undefined {
  try {
    const { uid, name } = Object(JSON.parse(text));
    return typeof uid === 'string' && /^[\w-]+$/u.test(uid) && typeof name === 'string' ? { uid, name } : undefined;
  } catch {
    // Cut off by a loss of power: nobody had the device by then.
    return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

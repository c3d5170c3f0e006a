import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the devices are that a node offers, below `/dev`. */
const DEVICE_FILES: Readonly<Record<string, string>> = { tun: 'net/tun' };

/** Whether a device of the node, such as `kvm`, is there and can be opened. */
export async function canOpenDevice(device: string, root: string = '/dev'): Promise<boolean> {
  try {
    await using file = await open(join(root, DEVICE_FILES[device] ?? device), constants.O_RDWR);
    return (await file.stat()).isCharacterDevice();
  } catch (error) {
    // Missing, forbidden, or without a driver behind it: it is of no use in any case.
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

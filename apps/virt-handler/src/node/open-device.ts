import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the devices are that a node offers, below `/dev`. */
const DEVICE_FILES: Readonly<Record<string, string>> = { tun: 'net/tun' };

/** The file of a device such as `kvm`, below `/dev`. */
export function deviceFile(device: string): string {
  return DEVICE_FILES[device] ?? device;
}

/** Whether a device of the node, such as `kvm`, is there and can be opened. */
export async function canOpenDevice(device: string, root: string = '/dev'): Promise<boolean> {
  try {
    await using file = await open(join(root, deviceFile(device)), constants.O_RDWR);
    return (await file.stat()).isCharacterDevice();
  } catch (error) {
    // Missing, forbidden, or without a driver behind it: it is of no use in any case.
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

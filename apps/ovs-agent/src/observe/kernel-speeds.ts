import { readFile } from 'node:fs/promises';

import type { InterfaceFacts, SwitchConfiguration } from '@smalt/switch-health';

const BITS_PER_MEGABIT = 1_000_000n;

/**
 * What the kernel says of the speed of network cards that the database has no speed for: Open vSwitch before 3.2 knows
 * neither 25 nor 50 Gbit/s. Cards that are down or have no speed are left out.
 */
export async function readKernelSpeeds(
  configuration: SwitchConfiguration | undefined,
  sysfs: string,
): Promise<ReadonlyMap<string, bigint>> {
  const wanted = (configuration?.bridges ?? [])
    .flatMap(({ ports }) => ports)
    .flatMap(({ interfaces }) => interfaces)
    .filter(lacksSpeed);
  const entries = await Promise.all(wanted.map(async ({ name }) => [name, await readSpeed(sysfs, name)] as const));
  return new Map(entries.flatMap(([name, speed]) => (speed === undefined ? [] : [[name, speed] as const])));
}

function lacksSpeed({ type, linkSpeed, linkState, externalIds, name }: InterfaceFacts): boolean {
  const isCard = type === '' && !externalIds.has('iface-id') && /^[^/]+$/.test(name) && name !== '..';
  return isCard && linkSpeed === undefined && linkState === 'up';
}

async function readSpeed(sysfs: string, name: string): Promise<bigint | undefined> {
  try {
    const text = (await readFile(`${sysfs}/class/net/${name}/speed`, 'utf8')).trim();
    // A card that is down, or that cannot tell, has the speed -1.
    return /^\d+$/.test(text) && text !== '0' ? BigInt(text) * BITS_PER_MEGABIT : undefined;
  } catch {
    return undefined;
  }
}

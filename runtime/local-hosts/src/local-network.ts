import { createHash, randomInt } from 'node:crypto';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isJsonObject, parseJson } from '@smalt/json';

import { addressesInUse, configureLinks } from './configure-links.ts';
import { LocalHostsError } from './local-hosts-error.ts';
import { raiseWall, razeWall } from './network-wall.ts';

const ATTEMPTS = 20;
const OWNER_NUMBER = 254;

export interface LocalNetworkOptions {
  /** Holds what is known of the network; it is named after it. */
  readonly directory: string;
  /** What hosts may reach of this machine, on its address in the network. */
  readonly ports: readonly number[];
}

/** A bridge that hosts on this machine hang on, without a way out. It belongs to nobody, and stays until it is removed. */
export interface LocalNetwork {
  readonly bridge: string;
  /** Such as `198.18.7`. */
  readonly prefix: string;
  /** The address of this machine in it. */
  readonly address: string;
}

/** Finds the network of a directory again, or makes one on addresses that nobody else on this machine uses. */
export async function openLocalNetwork({ directory, ports }: LocalNetworkOptions): Promise<LocalNetwork> {
  await mkdir(directory, { recursive: true, mode: 0o711 });
  const bridge = bridgeName(directory);
  const known = await readPrefix(directory);
  const isThere = await exists(`/sys/class/net/${bridge}`);
  const prefix = known !== undefined && (isThere || (await isFree(known))) ? known : await freePrefix();
  const address = `${prefix}.${OWNER_NUMBER}`;
  await writeFile(join(directory, 'network.json'), JSON.stringify({ prefix }));
  // The wall stands before the first host does.
  await raiseWall({ bridge, prefix, ports });
  if (!isThere) await configureLinks(undefined, [`link add ${bridge} type bridge forward_delay 0`]);
  await configureLinks(undefined, [`address replace ${address}/24 dev ${bridge}`, `link set ${bridge} up`]);
  return { bridge, prefix, address };
}

/** Removes the network of a directory, whose hosts are off. */
export async function removeLocalNetwork(directory: string): Promise<void> {
  const bridge = bridgeName(directory);
  if (await exists(`/sys/class/net/${bridge}`)) await configureLinks(undefined, [`link delete ${bridge}`]);
  await razeWall(bridge);
}

/** The name of a link has 15 characters at most, so the directory is in it as a digest. */
function bridgeName(directory: string): string {
  return `sm${createHash('sha256').update(directory).digest('hex').slice(0, 8)}`;
}

async function readPrefix(directory: string): Promise<string | undefined> {
  try {
    const value = parseJson(await readFile(join(directory, 'network.json'), 'utf8'));
    const prefix = isJsonObject(value) ? value['prefix'] : undefined;
    return typeof prefix === 'string' && /^198\.1[89]\.\d{1,3}$/.test(prefix) ? prefix : undefined;
  } catch {
    return undefined; // There is none yet, or a power loss damaged it: another will do.
  }
}

async function freePrefix(): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Of 198.18.0.0/15, which RFC 2544 sets aside for tests: no real network of this machine's owner lies there.
    const prefix = `198.${randomInt(18, 20)}.${randomInt(0, 256)}`;
    if (await isFree(prefix)) return prefix;
  }
  throw new LocalHostsError('no-free-network', `No free /24 found in ${ATTEMPTS} attempts`);
}

async function isFree(prefix: string): Promise<boolean> {
  return (await addressesInUse(prefix)) === 0;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

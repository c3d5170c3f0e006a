import type { SwitchTopology, TopologyInterface, TopologyPort } from '@smalt/ovs-api';

import type { Tone } from '../../../parts/status-badge.tsx';

/** How a port or the member of a bond does: to be shown small, and to be read out. */
export interface PortState {
  readonly tone: Tone;
  readonly words: string;
}

/** The other end of a patch. */
export interface PatchEnd {
  readonly bridge: string;
  readonly port: string;
}

/** The ends of all patches, by the name of the interface. */
export type Patches = ReadonlyMap<string, PatchEnd & { readonly peer: string | undefined }>;

/** Finds all patches. */
export function findPatches({ bridges }: Pick<SwitchTopology, 'bridges'>): Patches {
  return new Map(
    bridges.flatMap(({ name: bridge, ports }) =>
      ports.flatMap(({ name: port, interfaces }) =>
        interfaces
          .filter(({ type }) => type === 'patch')
          .map((device) => [device.name, { bridge, port, peer: device.peer }] as const),
      ),
    ),
  );
}

/** Where a patch leads; undefined where its other end is not there, or leads elsewhere. */
export function otherEnd(device: TopologyInterface, patches: Patches): PatchEnd | undefined {
  const end = device.peer === undefined ? undefined : patches.get(device.peer);
  return end?.peer === device.name ? end : undefined;
}

/** How a port does. */
export function portState({ interfaces }: Pick<TopologyPort, 'interfaces'>, patches: Patches): PortState {
  const [device] = interfaces;
  if (device === undefined) return { tone: 'bad', words: 'without an interface' };
  if (interfaces.length > 1) return bondState(interfaces);
  if (device.error !== undefined) return { tone: 'bad', words: device.error };
  if (device.type === 'patch' && otherEnd(device, patches) === undefined) {
    return { tone: 'bad', words: `its other end ${device.peer ?? ''} is not there`.replace('  ', ' ') };
  }
  // The host's own end of a bridge is down as a rule: nobody has given it an address.
  if (device.type === 'internal' && device.link === 'Down') return { tone: 'quiet', words: 'down' };
  return linkState(device);
}

/** How the member of a bond does. */
export function memberState(device: TopologyInterface): PortState {
  if (device.error !== undefined) return { tone: 'bad', words: device.error };
  if (device.link === 'Down') return { tone: 'bad', words: 'down' };
  if (device.isEnabled === undefined) return { tone: 'quiet', words: 'not known' };
  if (!device.isEnabled) return { tone: 'warning', words: 'carries nothing' };
  return device.isActive === true ? { tone: 'good', words: 'active' } : { tone: 'good', words: 'enabled' };
}

function bondState(members: readonly TopologyInterface[]): PortState {
  const working = members.filter((member) => memberState(member).tone === 'good').length;
  const isKnown = members.some(({ isEnabled }) => isEnabled !== undefined);
  if (working === members.length) return { tone: 'good', words: `all ${working} members work` };
  if (!isKnown) return { tone: 'quiet', words: 'nobody knows which members work' };
  return { tone: working === 0 ? 'bad' : 'warning', words: `${working} of ${members.length} members work` };
}

function linkState({ link }: TopologyInterface): PortState {
  switch (link) {
    case 'Up':
      return { tone: 'good', words: 'up' };
    case 'Down':
      return { tone: 'bad', words: 'down' };
    case 'Unknown':
      return { tone: 'quiet', words: 'not known' };
  }
}

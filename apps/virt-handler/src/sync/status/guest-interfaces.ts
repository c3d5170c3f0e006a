import { instanceStatus, type DomainReport } from '@smalt/domain-xml';
import type { VirtualMachineInstance, VirtualMachineInstanceNetworkInterface as ShownInterface } from '@smalt/vm-api';

import type { ConnectedNetwork } from '../../network/network-plugin.ts';
import type { GuestFacts, GuestInterface } from '../guest/guest-facts.ts';

/** How many are shown; those of the domain are among them in any case. */
const MOST_SHOWN = 32;

export interface InterfaceSources {
  readonly report: DomainReport;
  readonly networks: readonly ConnectedNetwork[];
  readonly guest: GuestFacts | undefined;
}

/** The interfaces of a guest as its status shows them: those of its domain, and what else its agent sees. */
export function guestInterfaces(
  instance: VirtualMachineInstance,
  sources: InterfaceSources,
): readonly ShownInterface[] {
  const { report, networks, guest } = sources;
  const ofDomain = instanceStatus(report, instance).interfaces ?? [];
  const seen = guest?.interfaces ?? [];
  const shown = ofDomain.map((each) => {
    const mac = each.mac ?? networks.find(({ domain }) => domain.name === each.name)?.domain.mac;
    const inside = seen.find((candidate) => mac !== undefined && candidate.mac === mac.toLowerCase());
    const given = networks.find(({ domain }) => domain.name === each.name)?.addresses ?? [];
    // What the node gave comes first: other nodes take it for this node's word, and a guest may claim anything.
    const addresses = [...new Set([...given, ...(inside?.addresses ?? [])])];
    return { ...each, ...(mac === undefined ? {} : { mac }), ...addressFields(addresses), ...insideFields(inside) };
  });
  const known = new Set(shown.map(({ mac }) => mac?.toLowerCase()));
  const others = seen.filter((each) => isWorthShowing(each, known)).slice(0, Math.max(0, MOST_SHOWN - shown.length));
  return [...shown, ...others.map(onlyInside)];
}

function addressFields(addresses: readonly string[]): Partial<ShownInterface> {
  const [first] = addresses;
  return first === undefined ? {} : { ipAddress: first, ipAddresses: addresses };
}

function insideFields(inside: GuestInterface | undefined): Partial<ShownInterface> {
  return inside === undefined ? {} : { interfaceName: inside.name, infoSource: 'domain, guest-agent' };
}

function isWorthShowing({ name, mac, addresses }: GuestInterface, known: ReadonlySet<string | undefined>): boolean {
  return name !== 'lo' && addresses.length > 0 && (mac === undefined || !known.has(mac));
}

/** One that the guest made itself, such as a bridge. */
function onlyInside({ name, mac, addresses }: GuestInterface): ShownInterface {
  return {
    interfaceName: name,
    ...(mac === undefined ? {} : { mac }),
    ...addressFields(addresses),
    infoSource: 'guest-agent',
  };
}

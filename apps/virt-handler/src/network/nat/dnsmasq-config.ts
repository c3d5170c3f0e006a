import type { DhcpOptionSet } from './dhcp-options.ts';
import { gatewayOf, maskOf, printIpv4 } from './ipv4-range.ts';
import type { NatPlace } from './plan-bridge.ts';

export interface DnsmasqPlace extends NatPlace {
  /** Where the files about single guests lie. */
  readonly hostsDirectory: string;
  /** Where the files lie about what some of them are told in addition. */
  readonly optionsDirectory: string;
  readonly pidFile: string;
  readonly nameServers: readonly string[];
  /** The account that it runs as once its ports are open. */
  readonly user: string;
  /** What tells its program from that of another version. */
  readonly program: string;
}

/** What dnsmasq is told: it knows the guests of the files alone, gives each its own address, and keeps nothing on disk. */
export function dnsmasqConfig(place: DnsmasqPlace): string {
  const { bridge, range, hostsDirectory, optionsDirectory, pidFile, nameServers, user, program } = place;
  return [
    // It outlives the pod of its handler: by this line a handler with another dnsmasq sees that it is to be replaced.
    `# ${program}`,
    `interface=${bridge}`,
    'except-interface=lo',
    'bind-interfaces',
    'no-hosts',
    ...(nameServers.length > 0 ? ['no-resolv', ...nameServers.map((server) => `server=${server}`)] : []),
    'domain-needed',
    'bogus-priv',
    `dhcp-range=${printIpv4(range.first)},static,${maskOf(range)},24h`,
    `dhcp-option=option:router,${gatewayOf(range)}`,
    `dhcp-hostsdir=${hostsDirectory}`,
    `dhcp-optsdir=${optionsDirectory}`,
    'dhcp-authoritative',
    // Else a guest could take any name in the eyes of the others.
    'dhcp-ignore-names',
    'dhcp-lease-max=1000000',
    // Addresses are fixed: what dnsmasq forgets is what it would be told again.
    'leasefile-ro',
    'quiet-dhcp',
    `user=${user}`,
    `pid-file=${pidFile}`,
    'log-facility=-',
    '',
  ].join('\n');
}

/** Words that mean something else in that place: a host called `ignore` would be ignored. */
const NO_NAMES = /^(ignore|infinite|\d+[smhdw]?)$/;
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** What dnsmasq knows of a card of a guest. */
export interface DhcpGuest {
  readonly mac: string;
  readonly address: string;
  readonly name: string;
  readonly options?: DhcpOptionSet | undefined;
}

/** The line by which dnsmasq knows a guest. A name that it could misread is left out. */
export function dhcpHostLine(guest: DhcpGuest): string {
  const name = guest.name.split('.', 1)[0] ?? '';
  const isName = NAME.test(name) && !NO_NAMES.test(name);
  const tags = guest.options === undefined ? [] : [`set:${guest.options.tag}`];
  return `${[guest.mac, ...tags, guest.address, ...(isName ? [name] : [])].join(',')}\n`;
}

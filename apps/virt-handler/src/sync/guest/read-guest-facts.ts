import { isIP } from 'node:net';

import {
  DomainGuestInfoTypes,
  DomainInterfaceAddressesSource,
  isUnsupported,
  type Domain,
  type DomainGuestInfoParameters,
  type DomainInterface,
  type LibvirtSession,
  type TypedParameterResult,
} from '@smalt/libvirt';
import { canonicalMac, type VirtualMachineInstanceGuestOSInfo } from '@smalt/vm-api';

import type { GuestFacts, GuestInterface } from './guest-facts.ts';

/** An agent that hangs must not hold anything up. */
const TIMEOUT_MS = 10_000;
/** Whatever a guest says, its instance has to stay small enough to be written. */
const MOST_INTERFACES = 256;
const MOST_ADDRESSES = 16;
const LONGEST_TEXT = 256;

/** Asks the agent inside a guest. Throws what libvirt throws when it does not answer. */
export async function readGuestFacts(
  session: LibvirtSession,
  domain: Domain,
  signal: AbortSignal,
): Promise<GuestFacts> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  const { agent } = DomainInterfaceAddressesSource;
  const [info, interfaces] = await Promise.all([
    session.domainGetGuestInfo({ domain, types: DomainGuestInfoTypes.os }, options).catch(noneIfUnsupported),
    session.domainInterfaceAddresses({ domain, source: agent }, options),
  ]);
  return { os: info && osInfo(info), interfaces: interfaces.slice(0, MOST_INTERFACES).map(guestInterface) };
}

function noneIfUnsupported(error: unknown): undefined {
  if (isUnsupported(error)) return undefined;
  throw error;
}

/** What the status says of the operating system. */
export function osInfo(info: TypedParameterResult<DomainGuestInfoParameters>): VirtualMachineInstanceGuestOSInfo {
  const fields = {
    id: info['os.id'],
    name: info['os.name'],
    prettyName: info['os.pretty-name'],
    version: info['os.version'],
    versionId: info['os.version-id'],
    kernelRelease: info['os.kernel-release'],
    kernelVersion: info['os.kernel-version'],
    machine: info['os.machine'],
  };
  const told = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, short(value)]] : [],
  );
  return Object.fromEntries(told);
}

function short(text: string): string {
  return text.slice(0, LONGEST_TEXT);
}

/** IPv4 first, as most people look for that; the guest's own order else. What is no address is left out. */
export function guestInterface({ name, hardwareAddress, addresses }: DomainInterface): GuestInterface {
  const texts = addresses
    .map(({ address }) => address)
    .filter((text) => text.length <= LONGEST_TEXT && isIP(text) !== 0);
  return {
    name: short(name),
    mac: canonicalMac(hardwareAddress ?? ''),
    addresses: [...texts.filter((text) => !isSix(text)), ...texts.filter(isSix)].slice(0, MOST_ADDRESSES),
  };
}

function isSix(address: string): boolean {
  return address.includes(':');
}

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
import type { VirtualMachineInstanceGuestOSInfo } from '@smalt/vm-api';

import type { GuestFacts, GuestInterface } from './guest-facts.ts';

/** An agent that hangs must not hold anything up. */
const TIMEOUT_MS = 10_000;

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
  return { os: info && osInfo(info), interfaces: interfaces.map(guestInterface) };
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
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}

/** IPv4 first, as most people look for that; the guest's own order else. */
export function guestInterface({ name, hardwareAddress, addresses }: DomainInterface): GuestInterface {
  const texts = addresses.map(({ address }) => address);
  return {
    name,
    mac: hardwareAddress?.toLowerCase(),
    addresses: [...texts.filter((text) => !isSix(text)), ...texts.filter(isSix)],
  };
}

function isSix(address: string): boolean {
  return address.includes(':');
}

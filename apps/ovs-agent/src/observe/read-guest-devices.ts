import { isNoDomain, type RemoteProcedures } from '@smalt/libvirt';
import { attribute, findAll, parseXml } from '@smalt/xml';

type GuestCalls = Pick<RemoteProcedures, 'connectListAllDomains' | 'domainGetXmlDesc'>;

/** Asks libvirt for the network devices that its domains have on the host, one domain after the other. */
export async function readGuestDevices(
  session: GuestCalls,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<ReadonlySet<string>> {
  const devices = new Set<string>();
  for (const domain of await session.connectListAllDomains({}, options)) {
    try {
      for (const device of devicesOf(await session.domainGetXmlDesc({ domain }, options))) devices.add(device);
    } catch (error) {
      // It went between the list and the question.
      if (!isNoDomain(error)) throw error;
    }
  }
  return devices;
}

function devicesOf(xml: string): readonly string[] {
  return findAll(parseXml(xml).root, 'devices/interface/target').flatMap((target) => attribute(target, 'dev') ?? []);
}

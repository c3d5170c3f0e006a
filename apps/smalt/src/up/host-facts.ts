import type { RemoteProcedures } from '@smalt/libvirt';
import { findAll, parseXml, valueAt } from '@smalt/xml';

/** What a person wants to know of a host before anything else. */
export interface HostFacts {
  readonly hostname: string;
  readonly uri: string;
  readonly driver: string;
  readonly driverVersion: string;
  readonly libvirtVersion: string;
  readonly architecture: string;
  readonly processors: number;
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
  readonly memoryMiB: number;
  readonly numaCells: number;
  readonly hasKvm: boolean;
  readonly runningDomains: number;
  readonly knownDomains: number;
}

type HostReader = Pick<
  RemoteProcedures,
  | 'connectGetCapabilities'
  | 'connectGetHostname'
  | 'connectGetLibVersion'
  | 'connectGetType'
  | 'connectGetUri'
  | 'connectGetVersion'
  | 'connectListAllDomains'
  | 'connectNumOfDomains'
  | 'nodeGetInfo'
>;

/** Asks a daemon everything at once and puts the answers together. */
export async function readHostFacts(host: HostReader, signal: AbortSignal): Promise<HostFacts> {
  const options = { signal };
  const [hostname, uri, driver, driverVersion, libvirtVersion, node, capabilities, domains, running] =
    await Promise.all([
      host.connectGetHostname(options),
      host.connectGetUri(options),
      host.connectGetType(options),
      host.connectGetVersion(options),
      host.connectGetLibVersion(options),
      host.nodeGetInfo(options),
      host.connectGetCapabilities(options),
      host.connectListAllDomains({}, options),
      host.connectNumOfDomains(options),
    ]);
  return {
    hostname,
    uri,
    driver,
    driverVersion: versionText(driverVersion),
    libvirtVersion: versionText(libvirtVersion),
    processors: node.cpus,
    sockets: node.sockets,
    cores: node.cores,
    threads: node.threads,
    memoryMiB: Number(node.memory / 1024n),
    runningDomains: running,
    knownDomains: domains.length,
    ...readCapabilities(capabilities),
  };
}

function readCapabilities(text: string): Pick<HostFacts, 'architecture' | 'numaCells' | 'hasKvm'> {
  const { root } = parseXml(text);
  return {
    architecture: valueAt(root, 'host/cpu/arch') ?? 'unknown',
    numaCells: findAll(root, 'host/topology/cells/cell').length,
    hasKvm: findAll(root, 'guest/arch/domain').some((domain) => valueAt(domain, '@type') === 'kvm'),
  };
}

/** libvirt packs a version into one number: 9003001 is 9.3.1. */
export function versionText(packed: bigint): string {
  return [packed / 1_000_000n, (packed / 1000n) % 1000n, packed % 1000n].join('.');
}

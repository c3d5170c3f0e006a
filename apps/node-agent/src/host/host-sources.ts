import { readDomainCapabilities, readHostCapabilities, type HypervisorSources } from '@smalt/hypervisor-facts';
import { isConnectionLost, isUnsupported, type LibvirtSession } from '@smalt/libvirt';

/** The first time after a start, libvirtd tries out every emulator there is. */
const TIMEOUT_MS = 60_000;

export type HostSources = Omit<HypervisorSources, 'domains' | 'overcommit'>;

export interface HostReading {
  readonly sources: HostSources;
  /** What the daemon failed to tell; what its driver does not have is no failure. */
  readonly failures: readonly string[];
}

/** Asks for all that is not about domains. What cannot be had costs that field alone. */
export async function readHostSources(session: LibvirtSession, signal: AbortSignal): Promise<HostReading> {
  const options = { signal, timeoutMs: TIMEOUT_MS };
  const failures: string[] = [];
  const attempt = async <T>(what: string, ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || isConnectionLost(error)) throw error;
      if (!isUnsupported(error)) failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const [libvirtVersion, hypervisorVersion, host, domainCapabilities] = await Promise.all([
    attempt('the version of libvirt', () => session.connectGetLibVersion(options)),
    attempt('the version of the hypervisor', () => session.connectGetVersion(options)),
    attempt('the capabilities', async () => {
      const [xml, info] = await Promise.all([session.connectGetCapabilities(options), session.nodeGetInfo(options)]);
      return readHostCapabilities(xml, { memoryKiB: Number(info.memory), cpus: info.cpus });
    }),
    attempt('the domain capabilities', async () =>
      readDomainCapabilities(await session.connectGetDomainCapabilities({}, options)),
    ),
  ]);
  return { sources: { libvirtVersion, hypervisorVersion, host, domainCapabilities }, failures };
}

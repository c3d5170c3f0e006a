import { readPins } from '@smalt/domain-xml';
import type { Domain, LibvirtSession } from '@smalt/libvirt';

import { explainLibvirtFailure } from './explain-libvirt-failure.ts';

/** The domain as it runs, not as it will start next time. */
const LIVE = 1;

/**
 * Lets libvirt pin the threads of a guest as its XML says, once more: threads that move to a cgroup with processors of its own
 * may forget it.
 */
export async function pinAgain(session: LibvirtSession, domain: Domain, signal: AbortSignal): Promise<void> {
  try {
    const { processors, emulator, ioThreads } = readPins(await session.domainGetXmlDesc({ domain }, { signal }));
    for (const { virtual, cpus } of processors) {
      await session.domainPinVcpuFlags({ domain, vcpu: virtual, cpuMap: cpuMap(cpus), flags: LIVE }, { signal });
    }
    if (emulator) await session.domainPinEmulator({ domain, cpuMap: cpuMap(emulator), flags: LIVE }, { signal });
    for (const { id, cpus } of ioThreads) {
      await session.domainPinIothread({ domain, iothreadId: id, cpuMap: cpuMap(cpus), flags: LIVE }, { signal });
    }
  } catch (error) {
    throw explainLibvirtFailure(error, 'the threads of the guest cannot be put on its own processors');
  }
}

/** Processors as libvirt has them: the least bit of the first byte is the first. */
export function cpuMap(cpus: readonly number[]): Uint8Array {
  const map = new Uint8Array(Math.floor(Math.max(0, ...cpus) / 8) + 1);
  for (const cpu of cpus) {
    const byte = Math.floor(cpu / 8);
    map[byte] = (map[byte] ?? 0) | (1 << (cpu % 8));
  }
  return map;
}

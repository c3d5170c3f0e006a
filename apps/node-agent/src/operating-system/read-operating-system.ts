import { release, type, version } from 'node:os';

import type { OperatingSystemStatus } from '@smalt/fleet-api';
import { dmiHardware, type DmiTexts, operatingSystemStatus, readOsRelease } from '@smalt/hypervisor-facts';
import type { Ignore } from '@smalt/service-runtime';
import type { HostDescription, Systemd } from '@smalt/systemd';

import { readHostFile } from './read-host-file.ts';

/** In the order of os-release(5): the first one there is counts, alone. */
const OS_RELEASE_PATHS = ['/etc/os-release', '/usr/lib/os-release'] as const;
const COMMAND_LINE_PATH = '/proc/cmdline';
const HARDWARE_PATHS: Readonly<Record<keyof DmiTexts, string>> = {
  systemVendor: '/sys/class/dmi/id/sys_vendor',
  productName: '/sys/class/dmi/id/product_name',
  productSerial: '/sys/class/dmi/id/product_serial',
  biosVendor: '/sys/class/dmi/id/bios_vendor',
  biosVersion: '/sys/class/dmi/id/bios_version',
  biosDate: '/sys/class/dmi/id/bios_date',
  deviceTreeModel: '/sys/firmware/devicetree/base/model',
  deviceTreeSerial: '/sys/firmware/devicetree/base/serial-number',
};

export interface HostSystem {
  /** Where the file system of the host is seen. */
  readonly root: string;
  /** Nothing where there is no bus. */
  readonly systemd: Pick<Systemd, 'describeHost'> | undefined;
  readonly ignore: Ignore;
}

/**
 * Asks everybody who knows something about the operating system of the host. A source that fails costs its fields; when
 * the signal fires, what was asked too late is left out.
 */
export async function readOperatingSystem(host: HostSystem, signal: AbortSignal): Promise<OperatingSystemStatus> {
  const [hostDescription, osRelease, commandLine, hardware] = await Promise.all([
    askHostnamed(host, signal),
    readOsReleaseFile(host, signal),
    readText(host, COMMAND_LINE_PATH, signal),
    readHardware(host, signal),
  ]);
  return operatingSystemStatus({
    hostDescription,
    osRelease: osRelease === undefined ? undefined : readOsRelease(osRelease),
    commandLine,
    hardware: dmiHardware(hardware),
    kernel: { kernelName: type(), kernelRelease: release(), kernelVersion: version() },
  });
}

async function askHostnamed(host: HostSystem, signal: AbortSignal): Promise<HostDescription | undefined> {
  try {
    return await host.systemd?.describeHost(signal);
  } catch (error) {
    if (!signal.aborted) host.ignore(error, 'hostnamed does not answer: firmware and kernel are asked');
    return undefined;
  }
}

async function readOsReleaseFile(host: HostSystem, signal: AbortSignal): Promise<string | undefined> {
  for (const path of OS_RELEASE_PATHS) {
    const text = await readText(host, path, signal);
    if (text !== undefined) return text;
  }
  return undefined;
}

async function readHardware(host: HostSystem, signal: AbortSignal): Promise<DmiTexts> {
  const texts = Object.entries(HARDWARE_PATHS).map(
    async ([name, path]) => [name, await readText(host, path, signal)] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

async function readText(host: HostSystem, path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await readHostFile(host.root, path, signal);
  } catch (error) {
    if (!signal.aborted) host.ignore(error, 'a file of the host cannot be read: its fields are left out');
    return undefined;
  }
}

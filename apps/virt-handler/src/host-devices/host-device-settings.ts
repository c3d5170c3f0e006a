import { VirtHandlerError } from '../virt-handler-error.ts';

/** Which devices of the node guests may have, and what pods call them. */
export interface HostDeviceSettings {
  readonly pci: readonly PermittedPciDevice[];
  readonly mediated: readonly PermittedMediatedDevice[];
}

interface PermittedPciDevice {
  /** Four hexadecimal digits each, such as `10de` and `1eb8`. */
  readonly vendor: string;
  readonly device: string;
  readonly resource: string;
}

interface PermittedMediatedDevice {
  /** The name of its type, such as `GRID T4-1Q`. */
  readonly type: string;
  readonly resource: string;
}

export const NO_HOST_DEVICES: HostDeviceSettings = { pci: [], mediated: [] };

const RESOURCE = /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?\/[A-Za-z\d](?:[\w.-]{0,61}[A-Za-z\d])?$/u;

/** Reads `10de:1eb8=nvidia.com/TU104GL_Tesla_T4` and `GRID T4-1Q=nvidia.com/GRID_T4-1Q`. Throws `bad-setting`. */
export function parseHostDevices(pci: readonly string[], mediated: readonly string[]): HostDeviceSettings {
  const settings = {
    pci: pci.map((text) => {
      const [, vendor = '', device = ''] = /^([\da-f]{4}):([\da-f]{4})=/iu.exec(text) ?? [];
      if (vendor === '') throw wrong('hostDevices.pci', text, 'begins with no VENDOR:DEVICE of four digits each');
      return {
        vendor: vendor.toLowerCase(),
        device: device.toLowerCase(),
        resource: resourceOf('hostDevices.pci', text),
      };
    }),
    mediated: mediated.map((text) => {
      const type = text.slice(0, Math.max(0, text.lastIndexOf('=')));
      if (type === '') throw wrong('hostDevices.mediated', text, 'begins with no name of a type');
      return { type, resource: resourceOf('hostDevices.mediated', text) };
    }),
  };
  // One name stands for devices of one kind: a pod that asks for it must know what it gets.
  const shared = settings.pci.find(({ resource }) => settings.mediated.some((each) => each.resource === resource));
  if (shared !== undefined) throw wrong('hostDevices.mediated', shared.resource, 'is a name of hostDevices.pci too');
  return settings;
}

/** All names that pods can ask for. */
export function resourcesOf({ pci, mediated }: HostDeviceSettings): readonly string[] {
  return [...new Set([...pci, ...mediated].map(({ resource }) => resource))];
}

function resourceOf(setting: string, text: string): string {
  const resource = text.slice(text.lastIndexOf('=') + 1);
  if (RESOURCE.test(resource)) return resource;
  throw wrong(setting, text, 'ends in no name of a resource, such as vendor.example/gpu');
}

function wrong(setting: string, text: string, why: string): VirtHandlerError {
  const message = `${setting}: ${JSON.stringify(text)} ${why}; write it like 10de:1eb8=nvidia.com/T4`;
  return new VirtHandlerError('bad-setting', message, { field: setting });
}

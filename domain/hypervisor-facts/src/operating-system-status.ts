import type { OperatingSystemStatus } from '@smalt/fleet-api';

/** Machine and firmware, as far as somebody knows them. */
export interface HardwareDescription {
  readonly hardwareVendor?: string | undefined;
  readonly hardwareModel?: string | undefined;
  readonly hardwareSerial?: string | undefined;
  readonly firmwareVersion?: string | undefined;
  readonly firmwareVendor?: string | undefined;
  /** ISO 8601. */
  readonly firmwareDate?: string | undefined;
}

/** The kernel, as `uname` tells it. */
interface KernelDescription {
  readonly kernelName?: string | undefined;
  readonly kernelRelease?: string | undefined;
  readonly kernelVersion?: string | undefined;
}

/** Where the facts about the operating system come from; each may be missing. */
export interface OperatingSystemSources {
  readonly osRelease?: ReadonlyMap<string, string> | undefined;
  /** What hostnamed says. It goes before `kernel` and `hardware`. */
  readonly hostDescription?:
    | (HardwareDescription & KernelDescription & { readonly operatingSystemPrettyName?: string | undefined })
    | undefined;
  readonly kernel?: KernelDescription | undefined;
  readonly hardware?: HardwareDescription | undefined;
  /** `/proc/cmdline`. */
  readonly commandLine?: string | undefined;
}

/** The operating system, firmware and hardware of a host of any distribution. What nobody knows is left out. */
export function operatingSystemStatus(sources: OperatingSystemSources): OperatingSystemStatus {
  const { osRelease = new Map<string, string>(), hostDescription, kernel, hardware, commandLine } = sources;
  const first = (...names: readonly string[]): string | undefined =>
    names.map((name) => osRelease.get(name)).find((value) => value !== undefined && value !== '');
  const described = { ...kernel, ...hardware, ...known(hostDescription ?? {}) };
  const features = first('GARDENLINUX_FEATURES')
    ?.split(',')
    .map((feature) => feature.trim());
  return known({
    version: first('GARDENLINUX_VERSION', 'VERSION_ID', 'BUILD_ID', 'IMAGE_VERSION'),
    variantID: first('VARIANT_ID'),
    prettyVersion: first('PRETTY_NAME') ?? hostDescription?.operatingSystemPrettyName ?? first('NAME'),
    kernelName: described.kernelName,
    kernelRelease: described.kernelRelease,
    kernelVersion: described.kernelVersion,
    kernelCommandLine: commandLine?.trim(),
    hardwareVendor: described.hardwareVendor,
    hardwareModel: described.hardwareModel,
    hardwareSerial: described.hardwareSerial,
    firmwareVersion: described.firmwareVersion,
    firmwareVendor: described.firmwareVendor,
    // Times in the API are whole seconds.
    firmwareDate: described.firmwareDate?.replace(/\.\d+Z$/, 'Z'),
    gardenLinuxCommitID: first('GARDENLINUX_COMMIT_ID_LONG', 'GARDENLINUX_COMMIT_ID'),
    gardenLinuxFeatures: features?.filter((feature) => feature !== ''),
  });
}

function known(fields: object): OperatingSystemStatus {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

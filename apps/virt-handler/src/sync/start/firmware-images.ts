import { access } from 'node:fs/promises';

import { architectureOf, firmwareKindOf, machineTypeOf, type FirmwareImage } from '@smalt/domain-xml';
import { isConnectionLost, isLibvirtError } from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { DriverSession } from '../../hypervisor-sessions/hypervisor-sessions.ts';
import { readLoaders } from '../../node/read-domain-capabilities.ts';

/** Where distributions put firmware for guests, the first choice of each kind first. */
const USUAL_PLACES: readonly FirmwareImage[] = [
  {
    kind: 'efi-secure-boot',
    loader: '/usr/share/OVMF/OVMF_CODE_4M.ms.fd',
    variables: '/usr/share/OVMF/OVMF_VARS_4M.ms.fd',
  },
  {
    kind: 'efi-secure-boot',
    loader: '/usr/share/OVMF/OVMF_CODE.secboot.fd',
    variables: '/usr/share/OVMF/OVMF_VARS.secboot.fd',
  },
  { kind: 'efi', loader: '/usr/share/OVMF/OVMF_CODE_4M.fd', variables: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
  { kind: 'efi', loader: '/usr/share/OVMF/OVMF_CODE.fd', variables: '/usr/share/OVMF/OVMF_VARS.fd' },
  { kind: 'efi', loader: '/usr/share/AAVMF/AAVMF_CODE.fd', variables: '/usr/share/AAVMF/AAVMF_VARS.fd' },
  { kind: 'efi-sev', loader: '/usr/share/OVMF/OVMF_CODE.cc.fd', variables: '/usr/share/OVMF/OVMF_VARS.fd' },
  { kind: 'efi-snp', loader: '/usr/share/OVMF/OVMF.amdsev.fd' },
  { kind: 'efi-tdx', loader: '/usr/share/OVMF/OVMF.inteltdx.fd' },
  { kind: 'hypervisor', loader: '/usr/share/cloud-hypervisor/CLOUDHV.fd' },
  { kind: 'hypervisor', loader: '/usr/share/cloud-hypervisor/hypervisor-fw' },
];

/** What there is to find out of which images a guest can have. */
export interface FirmwareQuestion {
  readonly instance: VirtualMachineInstance;
  readonly driver: Pick<DriverSession, 'hypervisor' | 'session'>;
}

/** The firmware images for an instance that QEMU can open, wherever it runs, the first choice of each kind first. */
export async function findFirmware(
  { ignore, places }: { readonly ignore: Ignore; readonly places?: readonly FirmwareImage[] | undefined },
  question: FirmwareQuestion,
  signal: AbortSignal,
): Promise<readonly FirmwareImage[]> {
  return await findFirmwareImages(await askForLoaders(ignore, question, signal), places);
}

/** The firmware images that libvirt names, then those that are on this node. */
export async function findFirmwareImages(
  named: readonly string[],
  places: readonly FirmwareImage[] = USUAL_PLACES,
): Promise<readonly FirmwareImage[]> {
  const [known, others] = [true, false].map((isNamed) =>
    places.filter(({ loader }) => named.includes(loader) === isNamed),
  );
  const present = await Promise.all(
    (others ?? []).map(async (image) => {
      const isHere =
        (await isThere(image.loader)) && (image.variables === undefined || (await isThere(image.variables)));
      return isHere ? [image] : [];
    }),
  );
  return [...(known ?? []), ...present.flat()];
}

/** A libvirtd in a container runs QEMU with the files of its image, which are not those that are seen from here. */
async function askForLoaders(
  ignore: Ignore,
  { instance, driver: { hypervisor, session } }: FirmwareQuestion,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (firmwareKindOf(instance) === undefined) return [];
  const machine = { architecture: architectureOf(instance).libvirt, machine: machineTypeOf(instance) };
  const type = { ...machine, virtualizationType: hypervisor.domainType };
  try {
    return readLoaders(await session.connectGetDomainCapabilities(type, { signal }));
  } catch (error) {
    if (signal.aborted || !isLibvirtError(error) || isConnectionLost(error)) throw error;
    ignore(error, 'firmware that libvirt does not name is looked for on the node');
    return [];
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

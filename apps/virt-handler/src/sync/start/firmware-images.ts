import { access } from 'node:fs/promises';

import type { FirmwareImage } from '@smalt/domain-xml';

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

/** The firmware images that are on this node. */
export async function findFirmwareImages(
  places: readonly FirmwareImage[] = USUAL_PLACES,
): Promise<readonly FirmwareImage[]> {
  const present = await Promise.all(
    places.map(
      async ({ loader, variables }) =>
        (await isThere(loader)) && (variables === undefined || (await isThere(variables))),
    ),
  );
  return places.filter((_, index) => present[index]);
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

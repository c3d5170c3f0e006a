/** What in a flavor keeps Nova from moving an instance while it runs. Local disks do not: they are copied. */
export function liveMoveObstacles(
  extraSpecs: Readonly<Record<string, string>>,
  { movesVirtualGpus }: { readonly movesVirtualGpus: boolean },
): readonly string[] {
  return Object.entries(extraSpecs).flatMap(([name, value]) => {
    const obstacle = obstacleOf(name, value, movesVirtualGpus);
    return obstacle === undefined ? [] : [`${obstacle} (${name}=${value})`];
  });
}

function obstacleOf(name: string, value: string, movesVirtualGpus: boolean): string | undefined {
  const [, resource] = /^resources[\w-]*:(.+)$/.exec(name) ?? [];
  if (resource !== undefined) return resourceObstacle(resource, value, movesVirtualGpus);
  switch (name) {
    case 'pci_passthrough:alias':
      return 'has a device of its host passed through';
    case 'accel:device_profile':
      return 'has an accelerator of its host';
    case 'hw:tpm_version':
    case 'hw:tpm_model':
      return 'has a virtual TPM';
    case 'hw:mem_encryption':
      return isTrue(value) ? 'has encrypted memory' : undefined;
    case 'hw:pmem':
      return 'has persistent memory of its host';
  }
  return undefined;
}

function resourceObstacle(resource: string, amount: string, movesVirtualGpus: boolean): string | undefined {
  if (Number(amount) === 0) return undefined;
  if (resource === 'VGPU') return movesVirtualGpus ? undefined : 'has a virtual GPU';
  if (resource === 'PGPU' || resource === 'PCI_DEVICE') return 'has a device of its host passed through';
  if (resource === 'MEM_ENCRYPTION_CONTEXT') return 'has encrypted memory';
  return resource.startsWith('CUSTOM_PMEM_NAMESPACE_') ? 'has persistent memory of its host' : undefined;
}

function isTrue(value: string): boolean {
  return ['1', 't', 'true', 'on', 'y', 'yes'].includes(value.trim().toLowerCase());
}

import { describe, expect, it } from 'vitest';

import { liveMoveObstacles } from './live-move-obstacles.ts';

const today = { movesVirtualGpus: false };

describe('liveMoveObstacles', () => {
  it.each<readonly [Record<string, string>, readonly string[]]>([
    [{}, []],
    [{ 'hw:cpu_policy': 'dedicated', 'hw:mem_page_size': '2048', 'trait:CUSTOM_X': 'required' }, []],
    [{ 'pci_passthrough:alias': 'gpu:1' }, ['has a device of its host passed through (pci_passthrough:alias=gpu:1)']],
    [{ 'resources:VGPU': '1' }, ['has a virtual GPU (resources:VGPU=1)']],
    [{ 'resources1:VGPU': '1' }, ['has a virtual GPU (resources1:VGPU=1)']],
    [{ resources_GPU: '1' }, []],
    [{ 'resources_GPU:PGPU': '2' }, ['has a device of its host passed through (resources_GPU:PGPU=2)']],
    [{ 'resources:VGPU': '0' }, []],
    [{ 'resources:VCPU': '4', 'resources:CUSTOM_LICENSE': '1' }, []],
    [
      { 'resources:CUSTOM_PMEM_NAMESPACE_6GB': '1' },
      ['has persistent memory of its host (resources:CUSTOM_PMEM_NAMESPACE_6GB=1)'],
    ],
    [{ 'hw:pmem': '6GB' }, ['has persistent memory of its host (hw:pmem=6GB)']],
    [
      { 'hw:tpm_version': '2.0', 'hw:tpm_model': 'tpm-crb' },
      ['has a virtual TPM (hw:tpm_version=2.0)', 'has a virtual TPM (hw:tpm_model=tpm-crb)'],
    ],
    [{ 'hw:mem_encryption': 'True' }, ['has encrypted memory (hw:mem_encryption=True)']],
    [{ 'hw:mem_encryption': 'false' }, []],
    [{ 'resources:MEM_ENCRYPTION_CONTEXT': '1' }, ['has encrypted memory (resources:MEM_ENCRYPTION_CONTEXT=1)']],
    [{ 'accel:device_profile': 'fpga' }, ['has an accelerator of its host (accel:device_profile=fpga)']],
  ])('of %j are %j', (extraSpecs, obstacles) => {
    expect(liveMoveObstacles(extraSpecs, today)).toEqual(obstacles);
  });

  it('do not include a virtual GPU where Nova can move one', () => {
    const specs = { 'resources:VGPU': '1', 'hw:pmem': '6GB' };

    expect(liveMoveObstacles(specs, { movesVirtualGpus: true })).toEqual([
      'has persistent memory of its host (hw:pmem=6GB)',
    ]);
  });
});

import { describe, expect, it } from 'vitest';

import { readHost } from './read-host.ts';

describe('readHost', () => {
  it('names the processor, its clock, and the machines of its own architecture', () => {
    expect(readHost(CAPABILITIES)).toEqual({
      architecture: 'x86_64',
      cpuVendor: 'Intel',
      timer: { frequency: 2_793_452_000n, isScalable: false },
      machineTypes: ['pc', 'pc-i440fx-7.2', 'q35'],
    });
  });

  it('knows little of a host that says little', () => {
    expect(readHost('<capabilities><host/></capabilities>')).toEqual({
      architecture: '',
      cpuVendor: undefined,
      timer: undefined,
      machineTypes: [],
    });
  });

  it('says when libvirt tells nonsense', () => {
    expect(() => readHost('<capabilities>')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});

const CAPABILITIES = `
<capabilities>
  <host>
    <cpu>
      <arch>x86_64</arch>
      <vendor>Intel</vendor>
      <counter name='tsc' frequency='2793452000' scaling='no'/>
    </cpu>
  </host>
  <guest>
    <os_type>hvm</os_type>
    <arch name='x86_64'>
      <machine maxCpus='255'>pc-i440fx-7.2</machine>
      <machine canonical='pc-i440fx-7.2' maxCpus='255'>pc</machine>
      <machine maxCpus='288'>q35</machine>
      <domain type='qemu'/>
    </arch>
  </guest>
  <guest>
    <os_type>hvm</os_type>
    <arch name='aarch64'><machine>virt</machine></arch>
  </guest>
  <guest>
    <os_type>exe</os_type>
    <arch name='x86_64'><machine>none</machine></arch>
  </guest>
</capabilities>`;

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anInput, anInstance } from '../fixtures/an-instance.ts';
import { printXml } from '@smalt/xml';

import { architectureOf, machineTypeOf } from './architecture.ts';
import { bootOrderOf } from './boot-order.ts';
import { guestMemoryOf } from './guest-memory.ts';
import { printNumberList } from './number-list.ts';
import { readNumberMask } from './number-mask.ts';
import { pciAddress } from './pci-address.ts';
import { topologyOf } from './processor-topology.ts';
import { virtioModel } from './virtio-model.ts';

const GIB = 1_073_741_824n;

describe('the memory of a guest', () => {
  it.each([
    [{ memory: { guest: '2Gi' }, resources: { requests: { memory: '4Gi' } } }, 2n * GIB],
    [{ memory: {}, resources: { requests: { memory: '4Gi' }, limits: { memory: '8Gi' } } }, 4n * GIB],
    [{ memory: {}, resources: { limits: { memory: 1024 } } }, 1024n],
    [{ memory: { hugepages: { pageSize: '1Gi' } } }, GIB],
  ])('is taken from where it stands: %o', (domain, bytes) => {
    expect(guestMemoryOf(anInstance(domain)).guestBytes).toBe(bytes);
  });

  it.each([
    [{}, 4n * GIB],
    [{ devices: { disableHotplug: true } }, undefined],
    [{ cpu: { realtime: {} } }, undefined],
    [{ cpu: { numa: { guestMappingPassthrough: {} } } }, undefined],
    [{ launchSecurity: { tdx: {} } }, undefined],
    [{ memory: { guest: '4Gi', maxGuest: '4Gi' } }, undefined],
  ])('can grow unless something ties it: %o', (domain, maxBytes) => {
    expect(guestMemoryOf(anInstance({ memory: { guest: '1Gi', maxGuest: '4Gi' }, ...domain })).maxBytes).toBe(maxBytes);
  });

  it.each([
    [{ memory: {} }, 'missing-field', 'spec.domain.memory.guest: no memory is asked for; set it'],
    [
      { memory: { guest: '1Gig' } },
      'invalid-field',
      'spec.domain.memory.guest: "1Gig" is no quantity; write it like 512Mi or 4Gi',
    ],
    [{ memory: { guest: '-1' } }, 'invalid-field', 'spec.domain.memory.guest: "-1" must be more than 0'],
    [
      { memory: { guest: '1Gi', hugepages: { pageSize: 'x' } } },
      'invalid-field',
      'spec.domain.memory.hugepages.pageSize: "x" is no quantity; write it like 512Mi or 4Gi',
    ],
  ])('that cannot be read is refused with its field: %o', (domain, code, message) => {
    expect(() => guestMemoryOf(anInstance(domain))).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('the processors of a guest', () => {
  it.each([
    [{}, { sockets: 1, cores: 1, threads: 1, maxSockets: 1, count: 1, maxCount: 1 }],
    [{ cpu: { cores: 4, threads: 2 } }, { sockets: 1, cores: 4, threads: 2, maxSockets: 1, count: 8, maxCount: 8 }],
    [
      { cpu: { sockets: 2, maxSockets: 8 } },
      { sockets: 2, cores: 1, threads: 1, maxSockets: 8, count: 2, maxCount: 8 },
    ],
    [
      { resources: { requests: { cpu: '1500m' } } },
      { sockets: 2, cores: 1, threads: 1, maxSockets: 2, count: 2, maxCount: 2 },
    ],
    [
      { resources: { requests: { cpu: 1 }, limits: { cpu: 3 } } },
      { sockets: 3, cores: 1, threads: 1, maxSockets: 3, count: 3, maxCount: 3 },
    ],
    [
      { cpu: { sockets: 2, maxSockets: 8 }, devices: { disableHotplug: true } },
      { sockets: 2, cores: 1, threads: 1, maxSockets: 2, count: 2, maxCount: 2 },
    ],
  ])('of %o', (domain, topology) => {
    expect(topologyOf(anInstance(domain))).toEqual(topology);
  });

  it('must be counted in whole numbers', () => {
    expect(() => topologyOf(anInstance({ cpu: { cores: -1 } }))).toThrow(
      'spec.domain.cpu.cores: -1 must be a number from 1',
    );
  });
});

describe('sets of numbers', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[3, 1, 2, 7, 8, 1], '1-3,7-8'],
  ])('%o are written as %s', (numbers, text) => {
    expect(printNumberList(numbers)).toBe(text);
  });

  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200), { minLength: 1 }), (numbers) => {
        const read = readNumberMask(printNumberList(numbers), 201, 'field');

        expect(read).toEqual(numbers.toSorted((left, right) => left - right));
      }),
    );
  });

  it.each([
    ['0-3,^1', [0, 2, 3]],
    ['^0', []],
    ['0-4000000000', [0, 1, 2, 3]],
    [' 2 ,1', [1, 2]],
  ])('%s leaves %o of four', (mask, numbers) => {
    expect(readNumberMask(mask, 4, 'field')).toEqual(numbers);
  });

  it.each(['', 'a', '3-1', '1,,2', '-1', '1-'])('"%s" is refused', (mask) => {
    expect(() => readNumberMask(mask, 4, 'spec.x')).toThrow(
      expect.objectContaining({ code: 'invalid-field', message: `spec.x: "${mask}" is no mask; write it like 0-3,^1` }),
    );
  });
});

describe('PCI addresses', () => {
  it('are taken apart', () => {
    expect(printXml(pciAddress('0000:81:1f.7', 'field'))).toBe(
      "<address type='pci' domain='0x0000' bus='0x81' slot='0x1f' function='0x7'/>",
    );
  });

  it.each(['', '0000:81:20.0', '0000:81:01.8', '81:01.0', "0000:81:01.0'/>", '0000:81:01.0\n'])(
    '"%s" is refused',
    (text) => {
      expect(() => pciAddress(text, 'spec.x')).toThrow('is no PCI address; write it like 0000:81:01.0');
    },
  );
});

describe('the architecture', () => {
  it.each([
    [undefined, undefined, 'x86_64', 'q35'],
    ['amd64', 'pc-q35-7.2', 'x86_64', 'pc-q35-7.2'],
    ['arm64', '', 'aarch64', 'virt'],
    ['s390x', undefined, 's390x', 's390-ccw-virtio'],
  ])('%s with the machine %s', (architecture, type, libvirt, machine) => {
    const instance = anInstance(
      type === undefined ? {} : { machine: { type } },
      architecture === undefined ? {} : { architecture },
    );

    expect([architectureOf(instance).libvirt, machineTypeOf(instance)]).toEqual([libvirt, machine]);
  });

  it('that does not exist is refused', () => {
    expect(() => architectureOf(anInstance({}, { architecture: 'vax' }))).toThrow(
      'spec.architecture: there is no architecture "vax"; use amd64, arm64 or s390x',
    );
  });
});

describe('the boot order', () => {
  const devices = {
    disks: [{ name: 'a' }, { name: 'b', bootOrder: 3 }],
    interfaces: [{ name: 'a', bootOrder: 1 }, { name: 'c' }],
  };

  it.each([
    [false, [undefined, 3, 1, undefined]],
    [true, [4, 3, 1, 5]],
  ])('with requiresBootOrder %s', (requiresBootOrder, expected) => {
    const order = bootOrderOf(anInput(anInstance({ devices }), {}, { requiresBootOrder }));

    expect([order('disk', 'a'), order('disk', 'b'), order('interface', 'a'), order('interface', 'c')]).toEqual(
      expected,
    );
  });
});

describe('the model of virtio devices', () => {
  it.each([
    [{}, {}, true, 'virtio-non-transitional'],
    [{ devices: { useVirtioTransitional: true } }, {}, true, 'virtio-transitional'],
    [{}, { architecture: 's390x' }, true, 'virtio'],
    [{}, {}, false, 'virtio'],
  ])('of %o %o with generations %s is %s', (domain, spec, hasVirtioGenerations, model) => {
    expect(virtioModel(anInput(anInstance(domain, spec), {}, { hasVirtioGenerations }))).toBe(model);
  });
});

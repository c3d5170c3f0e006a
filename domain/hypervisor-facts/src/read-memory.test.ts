import { describe, expect, it } from 'vitest';

import { readMemoryKiB } from './read-memory.ts';

// KB, kib, bytes and no unit at all are units that libvirt itself takes (real-libvirt.test.ts asks it), so they are read
// like it reads them. Only what libvirt refuses is unknown here.
describe('readMemoryKiB', () => {
  it.each([
    { amount: '4', unit: undefined, kib: 4 },
    { amount: '4', unit: '', kib: 4 },
    { amount: '4', unit: 'KiB', kib: 4 },
    { amount: '4', unit: 'kib', kib: 4 },
    { amount: '4', unit: 'k', kib: 4 },
    { amount: '4096', unit: 'KB', kib: 4000 },
    { amount: '4096', unit: 'bytes', kib: 4 },
    { amount: '4096', unit: 'b', kib: 4 },
    { amount: '64', unit: 'GiB', kib: 64 * 1024 ** 2 },
    { amount: '2', unit: 'TiB', kib: 2 * 1024 ** 3 },
    { amount: '1', unit: 'E', kib: 1024 ** 5 },
    { amount: ' 7\n', unit: 'MiB', kib: 7168 },
  ])('reads $amount in $unit', ({ amount, unit, kib }) => {
    expect(readMemoryKiB(amount, unit)).toBe(kib);
  });

  it('rounds up to whole KiB', () => {
    expect([readMemoryKiB('1', 'b'), readMemoryKiB('1025', 'b'), readMemoryKiB('1', 'MB')]).toEqual([1, 2, 977]);
  });

  it.each([
    { amount: '4', unit: 'KiBs' },
    { amount: '4', unit: ' KiB' },
    { amount: '4', unit: 'kibi' },
    { amount: '4', unit: 'pages' },
    { amount: '', unit: 'KiB' },
    { amount: '-4', unit: 'KiB' },
    { amount: '4.5', unit: 'GiB' },
    { amount: '0x10', unit: 'KiB' },
    { amount: '99999999999999999999', unit: 'KiB' },
    { amount: '9', unit: 'EiB' },
  ])('does not guess at $amount in "$unit"', ({ amount, unit }) => {
    expect(readMemoryKiB(amount, unit)).toBeUndefined();
  });
});

import { rm, writeFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { DirectIo } from './direct-io.ts';
import { deviceNumber } from './disk-size.ts';

it('tells file systems apart that can do without the page cache', async () => {
  const onDisk = `/var/tmp/smalt-direct-${process.pid}`;
  const inProc = '/proc/version';
  await writeFile(onDisk, 'x');
  const directIo = new DirectIo();

  try {
    expect([
      await directIo.supports(onDisk),
      await directIo.supports(onDisk, onDisk),
      await directIo.supports(inProc),
      await directIo.supports(onDisk, inProc),
    ]).toEqual([true, true, false, false]);
  } finally {
    await rm(onDisk);
  }
});

it.each([
  [0x8_10n, '8:16'],
  [0x1_03_00n, '259:0'],
  [0x10_08_2cn, '8:300'],
])('the device %i is %s', (device, text) => {
  expect(deviceNumber(device)).toBe(text);
});

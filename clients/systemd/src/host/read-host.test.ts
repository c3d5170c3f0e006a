import { describe, expect, it } from 'vitest';

import { parseHostJson, readHostProperties } from './read-host.ts';

describe('parseHostJson', () => {
  it('leaves out what hostnamed does not know, and turns the date into words', () => {
    const text = JSON.stringify({
      Hostname: 'node-1',
      HardwareVendor: 'ACME',
      HardwareSerial: null,
      FirmwareVersion: '',
      FirmwareVendor: 'ACME BIOS',
      FirmwareDate: 1_700_000_000_000_000,
      ProductUUID: 'not of interest',
    });

    expect(parseHostJson(text)).toEqual({
      hostname: 'node-1',
      hardwareVendor: 'ACME',
      firmwareVendor: 'ACME BIOS',
      firmwareDate: '2023-11-14T22:13:20.000Z',
    });
  });

  it.each(['', '{', '[', 'null', '7', undefined, 7])('refuses %j', (text) => {
    expect(() => parseHostJson(text)).toThrow(expect.objectContaining({ code: 'bad-answer' }));
  });

  it.each([null, 0, -1, 'soon', 1.844_674_407_370_955_2e19])('has no date for %j', (date) => {
    expect(parseHostJson(JSON.stringify({ FirmwareDate: date }))).toEqual({});
  });
});

describe('readHostProperties', () => {
  it('reads what versions without Describe have', () => {
    const properties = new Map([
      ['Hostname', { signature: 's', value: 'node-1' }],
      ['KernelRelease', { signature: 's', value: '5.10.0' }],
      ['HardwareModel', { signature: 's', value: '' }],
      ['FirmwareDate', { signature: 't', value: 2n ** 64n - 1n }],
    ]);

    expect(readHostProperties(properties)).toEqual({ hostname: 'node-1', kernelRelease: '5.10.0' });
  });

  it('refuses what are no properties', () => {
    expect(() => readHostProperties('x')).toThrow(expect.objectContaining({ code: 'bad-answer' }));
  });
});

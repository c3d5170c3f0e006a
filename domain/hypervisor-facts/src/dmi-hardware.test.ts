import { describe, expect, it } from 'vitest';

import { dmiHardware } from './dmi-hardware.ts';

describe('dmiHardware', () => {
  it('reads the tables of a server', () => {
    const hardware = dmiHardware({
      systemVendor: 'Dell Inc.\n',
      productName: 'PowerEdge R860\n',
      productSerial: 'ABC1234\n',
      biosVendor: 'Dell Inc.\n',
      biosVersion: '2.4.4\n',
      biosDate: '09/27/2024\n',
    });

    expect(hardware).toEqual({
      hardwareVendor: 'Dell Inc.',
      hardwareModel: 'PowerEdge R860',
      hardwareSerial: 'ABC1234',
      firmwareVendor: 'Dell Inc.',
      firmwareVersion: '2.4.4',
      firmwareDate: '2024-09-27T00:00:00Z',
    });
  });

  it('takes model and serial number of the device tree, which end with a NUL', () => {
    const hardware = dmiHardware({
      deviceTreeModel: 'Raspberry Pi 4 Model B Rev 1.4\0',
      deviceTreeSerial: '10000000abcdef\0',
    });

    expect(hardware).toMatchObject({
      hardwareModel: 'Raspberry Pi 4 Model B Rev 1.4',
      hardwareSerial: '10000000abcdef',
    });
  });

  it('prefers the tables to the device tree', () => {
    const hardware = dmiHardware({ productName: 'Altra', deviceTreeModel: 'linux,dummy-virt\0' });

    expect(hardware.hardwareModel).toBe('Altra');
  });

  it.each([
    'To Be Filled By O.E.M.',
    'Not Specified',
    'Default string',
    'System Product Name',
    'None',
    'N/A',
    '',
    ' ',
    '0',
    '0000',
    'xxxx',
  ])('takes "%s" for nothing', (text) => {
    expect(dmiHardware({ productName: text, productSerial: text })).toMatchObject({
      hardwareModel: undefined,
      hardwareSerial: undefined,
    });
  });

  it.each([
    { text: '04/01/2014', date: '2014-04-01T00:00:00Z' },
    { text: '04/01/98', date: '1998-04-01T00:00:00Z' },
    { text: '02/31/2020', date: undefined },
    { text: '13/01/2020', date: undefined },
    { text: '2020-01-01', date: undefined },
    { text: '00/00/0000', date: undefined },
    { text: '', date: undefined },
  ])('reads the date "$text"', ({ text, date }) => {
    expect(dmiHardware({ biosDate: text }).firmwareDate).toBe(date);
  });
});

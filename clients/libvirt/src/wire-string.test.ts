import { XdrReader, XdrWriter } from '@smalt/xdr';
import { expect, it } from 'vitest';

import { procedures } from './generated/procedures.gen.ts';
import { STRING_MAX, writeString } from './wire-string.ts';

it('writes what has no NUL in it, up to the limit', () => {
  const writer = new XdrWriter();

  writeString(writer, 'größer');
  writeString(writer, 'x'.repeat(STRING_MAX));

  const reader = new XdrReader(writer.take());
  expect([reader.string(), reader.string().length]).toEqual(['größer', STRING_MAX]);
});

it.each(['\0', 'a\0b', 'end\0'])('refuses %j, which the daemon would cut off', (text) => {
  expect(() => writeString(new XdrWriter(), text)).toThrow(expect.objectContaining({ code: 'invalid' }));
});

it('names the argument that has the NUL', () => {
  const { domainDefineXml, domainLookupByName, domainSetMetadata, domainSetBlockIoTune } = procedures;
  const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };

  expect(() => domainLookupByName.writeArgs(new XdrWriter(), { name: 'a\0b' })).toThrow(/name.*NUL/);
  expect(() => domainDefineXml.writeArgs(new XdrWriter(), { xml: '<a/>\0' })).toThrow(/xml.*NUL/);
  expect(() =>
    domainSetMetadata.writeArgs(new XdrWriter(), { domain: { ...domain, name: 'we\0b' }, type: 0, flags: 0 }),
  ).toThrow(/domain.*NUL/);
  expect(() =>
    domainSetBlockIoTune.writeArgs(new XdrWriter(), {
      domain,
      disk: 'vda',
      params: { group_name: 'a\0b' },
      flags: 0,
    }),
  ).toThrow(/params.*group_name.*NUL/);
});

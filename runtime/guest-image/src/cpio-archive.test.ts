import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { cpioArchive } from './cpio-archive.ts';
import type { CpioEntry } from './cpio-archive.ts';

it('writes headers of 110 characters and pads names and contents to four bytes', () => {
  const archive = cpioArchive([{ kind: 'file', path: 'init', content: Buffer.from('12345'), isExecutable: true }]);

  const fields = ['1', '81ed', '0', '0', '1', '0', '5', '0', '0', '0', '0', '5', '0'];
  const header = `070701${fields.map((field) => field.padStart(8, '0')).join('')}`;
  expect(header).toHaveLength(110);
  expect(archive.toString('latin1', 0, 124)).toBe(`${header}init\0\x0012345\0\0\0`);
  expect(archive.includes('TRAILER!!!')).toBe(true);
  expect(archive.length % 4).toBe(0);
});

it('marks directories and devices as such', () => {
  const archive = cpioArchive([
    { kind: 'directory', path: 'dev' },
    { kind: 'character-device', path: 'dev/console', major: 5, minor: 1 },
  ]);

  expect(readArchive(archive)).toMatchObject([
    { path: 'dev', mode: 0o040_755 },
    { path: 'dev/console', mode: 0o020_600, major: 5, minor: 1 },
  ]);
});

it('can be read back whatever the files hold', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }), (contents) => {
      const files = contents.map((content, index) => file(`${'x'.repeat(index)}${index}`, Buffer.from(content)));

      const read = readArchive(cpioArchive(files));

      expect(read.map(({ path, content }) => [path, content])).toEqual(
        files.map(({ path, content }) => [path, content]),
      );
    }),
  );
});

function file(path: string, content: Buffer): CpioEntry & { kind: 'file' } {
  return { kind: 'file', path, content, isExecutable: false };
}

function readArchive(archive: Buffer): { path: string; mode: number; major: number; minor: number; content: Buffer }[] {
  const entries = [];
  for (let offset = 0; ;) {
    const field = (index: number): number =>
      Number.parseInt(archive.toString('latin1', offset + 6 + index * 8, offset + 14 + index * 8), 16);
    const nameEnd = offset + 110 + field(11);
    const path = archive.toString('latin1', offset + 110, nameEnd - 1);
    if (path === 'TRAILER!!!') return entries;
    const start = Math.ceil(nameEnd / 4) * 4;
    const content = archive.subarray(start, start + field(6));
    entries.push({ path, mode: field(1), major: field(9), minor: field(10), content });
    offset = Math.ceil((start + field(6)) / 4) * 4;
  }
}

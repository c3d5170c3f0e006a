import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fileArrays } from '../fixtures/file-arrays.ts';
import type { ImageFile } from '../file-tree.ts';
import { buildIsoImage } from './build-iso-image.ts';

describe('buildIsoImage', () => {
  it('is read by xorriso with whole names, contents and the label as it was given', () => {
    const files = [
      file('user-data', '#cloud-config\n'),
      file('openstack/latest/meta_data.json', '{}'),
      file(`${'long name '.repeat(25)}.txt`, 'x'.repeat(5000)),
      file('grüße.txt', 'umlaut'),
      file('empty', ''),
    ];

    const read = extract([{ label: 'cidata', files }]);

    expect(read).toEqual([asMap(files)]);
  });

  it('holds names of every length that there is', () => {
    const files = Array.from({ length: 255 }, (_, index) => file('n'.repeat(index + 1), String(index)));

    const read = extract([{ label: 'cidata', files }]);

    expect(read).toEqual([asMap(files)]);
  });

  it('shows names of up to 64 characters to who reads Joliet', () => {
    const files = [file('Some Long Name.configuration', 'a'), file('x'.repeat(100), 'b'), file('a*b', 'c')];

    const read = extract([{ label: 'CFGDATA', files }], ['-read_fs', 'norock']);

    expect(read).toEqual([{ 'Some Long Name.configuration': 'a', ['x'.repeat(64)]: 'b', a_b: 'c' }]);
  });

  it('gives names that are equal in their first eight letters to who reads neither', () => {
    const files = [file('configuration-a.yaml', '1'), file('configuration-b.yaml', '2'), file('.profile', '3')];

    const read = extract([{ label: 'X', files }], ['-read_fs', 'ecma119']);

    expect(Object.values(read[0] ?? {}).toSorted()).toEqual(['1', '2', '3']);
  });

  it.each(['cidata', 'config-2', 'A label of thirty-two characters'])('has the label %s', (label) => {
    const image = Buffer.from(buildIsoImage({ label, files: [] }));

    expect(image.toString('latin1', 16 * 2048 + 40, 16 * 2048 + 72)).toBe(label.padEnd(32));
  });

  it('makes the same bytes of the same files', () => {
    const options = { label: 'cidata', files: [file('user-data', 'a'), file('b/c', 'd')] };

    expect(buildIsoImage(options)).toEqual(buildIsoImage(options));
  });

  it('holds directories of thousands of files', () => {
    const files = Array.from({ length: 3000 }, (_, index) => file(`some-entry-${index}`, String(index)));

    const read = extract([{ label: 'many', files }]);

    expect(read).toEqual([asMap(files)]);
  });

  it('gives back whatever files it was given', { timeout: 60_000 }, () => {
    const samples = fc.sample(fileArrays(), 25).map((files) => ({ label: 'cidata', files }));

    const read = extract(samples);

    expect(read).toEqual(samples.map(({ files }) => asMap(files)));
  });

  it.each([
    ['an empty label', { label: '', files: [] }, 'invalid-label'],
    ['a long label', { label: 'x'.repeat(33), files: [] }, 'invalid-label'],
    ['a label that is no ASCII', { label: 'ü', files: [] }, 'invalid-label'],
    ['an empty name', { label: 'x', files: [file('a//b', '')] }, 'invalid-path'],
    ['a path that leads upwards', { label: 'x', files: [file('../etc/passwd', '')] }, 'invalid-path'],
    ['a path from the root', { label: 'x', files: [file('/a', '')] }, 'invalid-path'],
    ['a zero in a name', { label: 'x', files: [file('a\0b', '')] }, 'invalid-path'],
    ['half a character', { label: 'x', files: [file('a\ud800', '')] }, 'invalid-path'],
    ['a name of 256 bytes', { label: 'x', files: [file('x'.repeat(256), '')] }, 'invalid-path'],
    ['the same path twice', { label: 'x', files: [file('a', ''), file('a', '')] }, 'duplicate-path'],
    ['a file in a file', { label: 'x', files: [file('a', ''), file('a/b', '')] }, 'duplicate-path'],
    ['a file in place of a directory', { label: 'x', files: [file('a/b', ''), file('a', '')] }, 'duplicate-path'],
    ['eight directories', { label: 'x', files: [file('1/2/3/4/5/6/7/8/f', '')] }, 'too-deep'],
    ['too much', { label: 'x', files: [{ path: 'a', content: new Uint8Array(257 << 20) }] }, 'too-large'],
  ])('refuses %s', (_, options, code) => {
    expect(() => buildIsoImage(options)).toThrow(expect.objectContaining({ code }));
  });
});

type Options = Parameters<typeof buildIsoImage>[0];

function file(path: string, text: string): ImageFile {
  return { path, content: Buffer.from(text) };
}

function asMap(files: readonly ImageFile[]): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map(({ path, content }) => [path, Buffer.from(content).toString('latin1')]));
}

/** What xorriso finds in images, all in one process. */
function extract(images: readonly Options[], how: readonly string[] = []): readonly Readonly<Record<string, string>>[] {
  const directory = mkdtempSync('/tmp/smalt-iso-');
  try {
    const commands = images.flatMap((options, index) => {
      writeFileSync(join(directory, `${index}.iso`), buildIsoImage(options));
      return ['-indev', join(directory, `${index}.iso`), '-extract', '/', join(directory, `out-${index}`)];
    });
    execFileSync('xorriso', ['-osirrox', 'on', ...how, ...commands], { stdio: 'pipe' });
    return images.map((_, index) => readAll(join(directory, `out-${index}`)));
  } finally {
    execFileSync('chmod', ['-R', 'u+w', directory]);
    rmSync(directory, { recursive: true, force: true });
  }
}

function readAll(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
  const files = names.filter((name) => statSync(name).isFile());
  return Object.fromEntries(files.map((name) => [relative(root, name), readFileSync(name, 'latin1')]));
}

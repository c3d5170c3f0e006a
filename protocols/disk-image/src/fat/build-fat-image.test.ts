import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fileArrays } from '../fixtures/file-arrays.ts';
import type { ImageFile } from '../file-tree.ts';
import { buildFatImage } from './build-fat-image.ts';

describe('buildFatImage', () => {
  it('is read by mtools with whole names and contents', () => {
    const files = [
      file('user-data', '#cloud-config\n'),
      file('openstack/latest/meta_data.json', '{}'),
      file(`${'long name '.repeat(20)}.txt`, 'x'.repeat(5000)),
      file('SHORT.TXT', 'short'),
      file('empty', ''),
    ];

    const read = extract({ label: 'cidata', files });

    expect(read).toEqual(asMap(files));
  });

  it('keeps its label in capitals, as cloud-init looks for it too', () => {
    const image = Buffer.from(buildFatImage({ label: 'config-2', files: [file('a', '')] }));

    expect(image.toString('latin1', 43, 54)).toBe('CONFIG-2   ');
    expect(image.includes('CONFIG-2   \x08')).toBe(true);
  });

  it.each([
    ['FAT12', 3_800],
    ['FAT12', 4_030],
    ['FAT16', 4_060],
    ['FAT16', 4_100],
    ['FAT16', 64_990],
    ['FAT16', 200_000],
  ])('is %s and whole with %i sectors of content', { timeout: 30_000 }, (kind, sectors) => {
    const content = Buffer.alloc(sectors * 512, 7);
    content.write('the end', content.length - 7);
    const options = { label: 'X', files: [{ path: 'content', content }] };

    const read = extract(options);

    expect(Buffer.from(buildFatImage(options)).toString('latin1', 54, 59)).toBe(kind);
    expect(read['content']?.length).toBe(content.length);
    expect(read['content']?.endsWith('the end')).toBe(true);
  });

  it('makes the same bytes of the same files', () => {
    const options = { label: 'cidata', files: [file('user-data', 'a'), file('b/c', 'd')] };

    expect(buildFatImage(options)).toEqual(buildFatImage(options));
  });

  it('holds directories of thousands of files', () => {
    const files = Array.from({ length: 1500 }, (_, index) => file(`d/some-entry-${index}`, String(index)));

    const read = extract({ label: 'many', files });

    expect(read).toEqual(asMap(files));
  });

  it('gives back whatever files it was given', { timeout: 60_000 }, () => {
    // Many samples are put side by side in one image: a process for each would take most of the time.
    const samples = fc.sample(fileArrays(), 40);
    const files = samples.flatMap((sample, index) =>
      sample.map(({ path, content }) => ({ path: `s${index}/${path}`, content })),
    );

    const read = extract({ label: 'samples', files });

    expect(read).toEqual(asMap(files));
  });

  it.each([
    ['a label of twelve letters', { label: 'abcdefghijkl', files: [] }, 'invalid-label'],
    ['a label with a dot', { label: 'a.b', files: [] }, 'invalid-label'],
    ['a name with a colon', { label: 'x', files: [file('a:b', '')] }, 'invalid-path'],
    ['a name that ends in a dot', { label: 'x', files: [file('a.', '')] }, 'invalid-path'],
    ['a name with a line end', { label: 'x', files: [file('a\nb', '')] }, 'invalid-path'],
    ['names that differ by case', { label: 'x', files: [file('a', ''), file('A', '')] }, 'duplicate-path'],
    ['a path that leads upwards', { label: 'x', files: [file('a/../../b', '')] }, 'invalid-path'],
    ['a root that is too full', { label: 'x', files: manyLongNames() }, 'too-large'],
  ])('refuses %s', (_, options, code) => {
    expect(() => buildFatImage(options)).toThrow(expect.objectContaining({ code }));
  });
});

type Options = Parameters<typeof buildFatImage>[0];

function file(path: string, text: string): ImageFile {
  return { path, content: Buffer.from(text) };
}

function manyLongNames(): readonly ImageFile[] {
  return Array.from({ length: 9000 }, (_, index) => file(`${'n'.repeat(200)}${index}`, ''));
}

function asMap(files: readonly ImageFile[]): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map(({ path, content }) => [path, Buffer.from(content).toString('latin1')]));
}

function extract(options: Options): Readonly<Record<string, string>> {
  const directory = mkdtempSync('/tmp/smalt-fat-');
  try {
    const image = join(directory, 'image');
    const out = join(directory, 'out');
    writeFileSync(image, buildFatImage(options));
    mkdirSync(out);
    execFileSync('mcopy', ['-s', '-n', '-i', image, '::/', out], { stdio: 'pipe' });
    return readAll(out);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readAll(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
  const files = names.filter((name) => statSync(name).isFile());
  return Object.fromEntries(files.map((name) => [relative(root, name), readFileSync(name, 'latin1')]));
}

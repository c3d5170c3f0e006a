import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildQcow2 } from './build-qcow2.ts';
import { describeDiskImage, IMAGE_HEAD_BYTES } from './describe-disk-image.ts';

const GIB = 2 ** 30;
let directory: string;

beforeAll(() => {
  directory = mkdtempSync('/tmp/smalt-qcow2-');
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('buildQcow2', () => {
  it.each([512, 1000, GIB, 513 * 2 ** 20, 10 * 2 ** 40])('is sound for a disk of %i bytes', (virtualSizeBytes) => {
    const path = write('sound', buildQcow2({ virtualSizeBytes }));

    execFileSync('qemu-img', ['check', '-q', '-f', 'qcow2', path]);

    expect(info(path)).toMatchObject({ format: 'qcow2', 'virtual-size': Math.ceil(virtualSizeBytes / 512) * 512 });
  });

  it('shows what lies under it until it is written to', () => {
    const base = write('base', Buffer.alloc(2 ** 20, 'b'));
    const path = write('overlay', buildQcow2({ virtualSizeBytes: 2 ** 20, backing: { path: base, format: 'raw' } }));

    execFileSync('qemu-io', ['-f', 'qcow2', '-c', 'write -P 0x61 512k 512k', path]);
    execFileSync('qemu-img', ['check', '-q', '-f', 'qcow2', path]);
    execFileSync('qemu-img', ['convert', '-f', 'qcow2', '-O', 'raw', path, join(directory, 'flat')]);

    const half = 2 ** 19;
    expect(readFileSync(join(directory, 'flat'))).toEqual(
      Buffer.concat([Buffer.alloc(half, 'b'), Buffer.alloc(half, 'a')]),
    );
    expect(readFileSync(base)).toEqual(Buffer.alloc(2 ** 20, 'b'));
    expect(info(path)).toMatchObject({ 'backing-filename': base, 'backing-filename-format': 'raw' });
  });

  it.each([
    [{ virtualSizeBytes: 0 }, 'invalid-size'],
    [{ virtualSizeBytes: -1 }, 'invalid-size'],
    [{ virtualSizeBytes: 1.5 }, 'invalid-size'],
    [{ virtualSizeBytes: 65 * 2 ** 40 }, 'invalid-size'],
    [{ virtualSizeBytes: 512, backing: { path: '/'.repeat(1024), format: 'raw' as const } }, 'invalid-path'],
    [{ virtualSizeBytes: 512, backing: { path: '', format: 'raw' as const } }, 'invalid-path'],
  ])('refuses %j', (options, code) => {
    expect(() => buildQcow2(options)).toThrow(expect.objectContaining({ code }));
  });
});

describe('describeDiskImage', () => {
  it.each([
    ['-o', 'compat=0.10'],
    ['-o', 'compat=1.1'],
    ['-o', 'compression_type=zstd'],
    ['-o', 'extended_l2=on,cluster_size=128k'],
  ])('knows a qcow2 made with %s %s', (...options) => {
    const path = join(directory, 'made');
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', ...options, path, '3G']);

    expect(describeFile(path)).toEqual({ format: 'qcow2', virtualSizeBytes: 3 * GIB });
  });

  it('takes what it does not know for raw, in whole sectors', () => {
    expect(describeDiskImage(Buffer.from('any'), 1025)).toEqual({ format: 'raw', virtualSizeBytes: 1536 });
  });

  it.each([
    ['one that rests on another file', ['-b', '/etc/passwd', '-F', 'raw', '-u'], 'rests on another file'],
    ['one with its data elsewhere', ['-o', 'data_file=/tmp/smalt-elsewhere'], 'data in another file'],
  ])('refuses a qcow2: %s', (_, options, words) => {
    const path = join(directory, 'refused');
    try {
      execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', ...options, path, '1G']);
    } finally {
      rmSync('/tmp/smalt-elsewhere', { force: true });
    }

    expect(() => describeFile(path)).toThrow(words);
  });

  it.each(['vmdk', 'vdi', 'vhdx', 'qed'])('refuses a %s and says how to convert it', (format) => {
    const path = join(directory, 'foreign');
    execFileSync('qemu-img', ['create', '-q', '-f', format, path, '1G']);

    expect(() => describeFile(path)).toThrow('qemu-img convert');
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'unsupported-image'],
    ['a gzip', Buffer.from([0x1f, 0x8b, 8]), 'unsupported-image'],
    ['an xz', Buffer.from('\xfd7zXZ\0', 'latin1'), 'unsupported-image'],
    ['half a header', head({}).subarray(0, 60), 'damaged-image'],
    ['a version of the future', head({ 4: 4 }), 'unsupported-image'],
    ['an encrypted qcow2', head({ 32: 2 }), 'unsupported-image'],
    ['a damaged qcow2', head({ 76: 2 }), 'damaged-image'],
    ['unknown features', head({ 72: 1 }), 'unsupported-image'],
    ['a disk without a size', head({ 28: 0 }), 'damaged-image'],
    ['a disk of absurd size', head({ 24: 0x7f_ff_ff_ff }), 'damaged-image'],
  ])('refuses %s', (_, bytes, code) => {
    expect(() => describeDiskImage(bytes, bytes.length)).toThrow(expect.objectContaining({ code }));
  });
});

/** The head of a sound image with some of its words changed. */
function head(words: Readonly<Record<number, number>>): Buffer {
  const bytes = Buffer.from(buildQcow2({ virtualSizeBytes: 512 })).subarray(0, IMAGE_HEAD_BYTES);
  for (const [offset, word] of Object.entries(words)) bytes.writeUInt32BE(word, Number(offset));
  return bytes;
}

function write(name: string, bytes: Uint8Array): string {
  writeFileSync(join(directory, name), bytes);
  return join(directory, name);
}

function info(path: string): unknown {
  return JSON.parse(execFileSync('qemu-img', ['info', '--output=json', path], { encoding: 'utf8' }));
}

function describeFile(path: string): unknown {
  return describeDiskImage(readFileSync(path).subarray(0, IMAGE_HEAD_BYTES), statSync(path).size);
}

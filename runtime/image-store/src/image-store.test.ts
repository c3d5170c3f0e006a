import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtempDisposable, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { buildQcow2 } from '@smalt/disk-image';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { isImageNotFound } from './image-store-error.ts';
import { openImageStore, type ImageStore } from './image-store.ts';

const MIB = 1 << 20;
let directory: Awaited<ReturnType<typeof mkdtempDisposable>>;
let store: ImageStore;

beforeEach(async () => {
  directory = await mkdtempDisposable('/tmp/smalt-images-');
  store = openImageStore(at('store'));
});

afterEach(() => directory.remove());

describe('an import', () => {
  it('keeps a copy under its name, with its digest and its sizes', async () => {
    const bytes = Buffer.concat([Buffer.from('boot'), Buffer.alloc(3 * MIB), Buffer.from('end')]);
    await writeFile(at('disk'), bytes);

    const image = await store.importFile(at('disk'), 'demo:1');

    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    expect(image).toMatchObject({ reference: 'demo:1', format: 'raw', digest, sizeBytes: bytes.length });
    expect(await store.resolve('demo:1')).toEqual(image);
    expect(await readFile(image.path)).toEqual(bytes);
    expect((await stat(image.path)).blocks * 512).toBeLessThan(MIB);
  });

  it('tells a qcow2 by its content', async () => {
    await writeFile(at('disk.raw'), buildQcow2({ virtualSizeBytes: 5 * MIB }));

    const image = await store.importFile(at('disk.raw'), 'demo');

    expect(image).toMatchObject({ reference: 'demo:latest', format: 'qcow2', virtualSizeBytes: 5 * MIB });
  });

  it('tells how far it is', async () => {
    await writeFile(at('disk'), Buffer.alloc(2.5 * MIB, 1));
    const told: number[] = [];

    await store.importFile(at('disk'), 'demo', { onProgress: ({ bytes }) => told.push(bytes) });

    expect(told).toEqual([MIB, 2 * MIB, 2.5 * MIB]);
  });

  it('gives a name to another image, and the image before goes', async () => {
    const before = await importText('before', 'demo');

    const after = await importText('after', 'demo');
    await importText('more', 'other');

    expect(await store.resolve('demo')).toEqual(after);
    await expect(stat(before.path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['a file that is not there', async () => undefined, 'unreadable-file'],
    ['a directory', () => mkdir(at('disk')), 'unreadable-file'],
    ['a pipe', async () => execFileSync('mkfifo', [at('disk')]), 'unreadable-file'],
    ['an empty file', () => writeFile(at('disk'), ''), 'unsupported-image'],
    ['an image that reads another file', () => writeFile(at('disk'), hostileQcow2()), 'unsupported-image'],
  ])('refuses %s and keeps nothing', async (_, make, code) => {
    await make();

    await expect(store.importFile(at('disk'), 'demo')).rejects.toMatchObject({ code });

    expect(await filesIn(store.directory)).toEqual([]);
  });

  it('leaves nothing when it is given up', async () => {
    await writeFile(at('disk'), Buffer.alloc(4 * MIB, 1));
    const giveUp = new AbortController();

    const importing = store.importFile(at('disk'), 'demo', {
      signal: giveUp.signal,
      onProgress: () => giveUp.abort(new Error('enough')),
    });

    await expect(importing).rejects.toThrow('enough');
    expect(await filesIn(store.directory)).toEqual([]);
  });

  it('leaves nothing on a disk that is full, and says where', async () => {
    await mkdir(at('small'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'small', at('small')]);
    try {
      await writeFile(at('disk'), Buffer.alloc(2 * MIB, 1));
      const small = openImageStore(at('small'));

      const importing = small.importFile(at('disk'), 'demo');

      await expect(importing).rejects.toMatchObject({
        code: 'disk-full',
        message: expect.stringContaining(at('small')),
      });
      expect(await filesIn(at('small'))).toEqual([]);
    } finally {
      execFileSync('umount', [at('small')]);
    }
  });

  it('removes what a killed one has left, and not what another is about to finish', async () => {
    await importText('first', 'demo');
    const start = (await readFile('/proc/self/stat', 'latin1')).split(') ')[1]?.split(' ')[19];
    await writeFile(at('store/incoming/4194305-1-dead'), 'half');
    await writeFile(at(`store/incoming/${process.pid}-1-another`), 'half');
    await writeFile(at(`store/incoming/${process.pid}-${start}-alive`), 'half');

    await importText('second', 'other');

    expect(await readdir(at('store/incoming'))).toEqual([`${process.pid}-${start}-alive`]);
  });
});

describe('a name', () => {
  it.each([
    ['demo', 'demo:latest'],
    ['quay.io/containerdisks/fedora:40', 'quay.io/containerdisks/fedora:40'],
    [
      'registry:5000/kubevirt/cirros-container-disk-demo:devel',
      'registry:5000/kubevirt/cirros-container-disk-demo:devel',
    ],
    ['docker://kubevirt/cirros', 'kubevirt/cirros:latest'],
    ['localhost:5000/demo', 'localhost:5000/demo:latest'],
  ])('%s stands for %s', async (given, reference) => {
    await importText('x', given);

    expect(await store.resolve(given)).toMatchObject({ reference });
    expect((await store.list()).map((image) => image.reference)).toEqual([reference]);
  });

  it.each([
    '',
    'Demo',
    '../demo',
    'a/../b',
    'a//b',
    '/etc/passwd',
    'a b',
    'a:b:c',
    'x\0',
    'a'.repeat(300),
    'a/'.repeat(99),
  ])('can be no %j', async (name) => {
    await expect(store.resolve(name)).rejects.toMatchObject({ code: 'invalid-reference' });
    await expect(importText('x', name)).rejects.toMatchObject({ code: 'invalid-reference' });
  });

  it('that nobody has comes with what to do', async () => {
    const error: unknown = await store.resolve('demo').catch((reason: unknown) => reason);

    expect(isImageNotFound(error)).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('smalt image import FILE demo:latest') });
  });

  it('whose record was tampered with leads to no other file', async () => {
    await importText('x', 'demo');
    const record = {
      format: 'raw',
      digest: 'sha256:../../../etc/passwd',
      sizeBytes: 1,
      virtualSizeBytes: 1,
      importedAt: '',
    };
    await writeFile(at('store/names/demo%3Alatest.json'), JSON.stringify(record));

    await expect(store.resolve('demo')).rejects.toMatchObject({ code: 'image-damaged' });
    expect(await store.list()).toEqual([]);
  });

  it('whose file is gone or cut is not given out', async () => {
    const { path } = await importText('content', 'demo');
    await writeFile(path, 'cut');

    await expect(store.resolve('demo')).rejects.toMatchObject({ code: 'image-damaged' });

    await rm(path);

    await expect(store.resolve('demo')).rejects.toMatchObject({ code: 'image-damaged' });
  });
});

describe('an image that shows in a directory', () => {
  it.each([
    ['of the same file system', () => at('pod')],
    ['of another file system', () => `/dev/shm/smalt-image-store-${process.pid}`],
  ])('%s cannot be removed until it shows there no more', async (_, place) => {
    const pod = place();
    try {
      const image = await importText('content', 'demo');

      await store.exposeIn(pod, 'demo');
      await store.exposeIn(pod, 'demo');

      expect(await readFile(join(pod, 'disk/disk.img'), 'utf8')).toBe('content');
      await expect(store.remove('demo')).rejects.toMatchObject({
        code: 'image-in-use',
        message: expect.stringContaining(pod),
      });

      await rm(pod, { recursive: true });
      await store.remove('demo');

      await expect(stat(image.path)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await readdir(at('store/users'))).toEqual([]);
    } finally {
      await rm(pod, { recursive: true, force: true });
    }
  });

  it('stays while it is in use though its name went to another', async () => {
    await importText('before', 'demo');
    await store.exposeIn(at('pod'), 'demo');

    await importText('after', 'demo');
    await importText('more', 'other');

    expect(await readFile(at('pod/disk/disk.img'), 'utf8')).toBe('before');
    await store.exposeIn(at('pod'), 'demo');
    expect(await readFile(at('pod/disk/disk.img'), 'utf8')).toBe('after');
  });

  it('loses a name as long as it has another', async () => {
    await importText('content', 'one');
    await importText('content', 'two');
    await store.exposeIn(at('pod'), 'one');

    await store.remove('one');

    await expect(store.resolve('one')).rejects.toMatchObject({ code: 'image-not-found' });
    expect(await readFile((await store.resolve('two')).path, 'utf8')).toBe('content');
  });
});

describe('a removal', () => {
  it('that was cut short is taken back for an image that has a name', async () => {
    const { path } = await importText('content', 'demo');
    await rename(path, `${path}.removing`);

    const image = await store.resolve('demo');

    expect(await readFile(image.path, 'utf8')).toBe('content');
  });

  it('that was cut short is brought to its end for one that has none', async () => {
    await importText('content', 'demo');
    await rm(at('store/names/demo%3Alatest.json'));

    const { digest } = await importText('more', 'other');

    expect(await readdir(at('store/blobs'))).toEqual([`${digest.replace(':', '-')}.raw`]);
  });
});

it('many processes at once leave every image whole', { timeout: 60_000 }, async () => {
  await writeFile(at('disk'), Buffer.alloc(64 << 10, 'x'));
  const names = ['a', 'b', 'c'];
  const script = join(import.meta.dirname, 'fixtures/import-and-remove.ts');

  await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, [script, at('store'), at('disk'), name, '40'])),
  );

  const images = await Promise.all(names.map((name) => store.resolve(name)));
  expect(new Set(images.map(({ digest }) => digest)).size).toBe(1);
  expect(await readdir(at('store/blobs'))).toHaveLength(1);
  expect(await readdir(at('store/incoming'))).toEqual([]);
});

describe('a kernel', () => {
  it('shows with what it starts with, and without a disk', async () => {
    const image = await importKernel('linux', 'kernel', 'initial');

    await store.exposeIn(at('shown'), 'linux');

    expect(await filesIn(at('shown'))).toEqual(['initrd', 'vmlinuz']);
    expect(await readFile(at('shown/boot/vmlinuz'), 'utf8')).toBe('kernel');
    expect(await readFile(at('shown/boot/initrd'), 'utf8')).toBe('initial');
    expect(image).toMatchObject({ sizeBytes: 13, files: [{ path: 'boot/vmlinuz' }, { path: 'boot/initrd' }] });
    expect(await store.resolve('linux')).toEqual(image);
  });

  it('may stand alone, and be compressed', async () => {
    await importKernel('linux', '\u001f\u008bkernel');

    await store.exposeIn(at('shown'), 'linux');

    expect(await filesIn(at('shown'))).toEqual(['vmlinuz']);
  });

  it('stays while one of its parts is in use, and goes as a whole', async () => {
    await importKernel('linux', 'kernel', 'initial');
    await importKernel('other', 'another kernel', 'initial');
    await store.exposeIn(at('shown'), 'linux');

    await expect(store.remove('linux')).rejects.toMatchObject({ code: 'image-in-use' });
    await rm(at('shown'), { recursive: true });
    await store.remove('linux');

    expect(await readdir(at('store/blobs'))).toHaveLength(2);
    await expect(store.resolve('other')).resolves.toMatchObject({ reference: 'other:latest' });
  });

  it('is damaged when a part of it is', async () => {
    const { files = [] } = await importKernel('linux', 'kernel', 'initial');

    await rm(at(`store/blobs/${files[1]?.digest.replace(':', '-')}.raw`));

    await expect(store.exposeIn(at('shown'), 'linux')).rejects.toMatchObject({ code: 'image-damaged' });
  });

  it('is not believed to show elsewhere', async () => {
    await importKernel('linux', 'kernel');
    const [name = ''] = await readdir(at('store/names'));
    const text = await readFile(at(`store/names/${name}`), 'utf8');

    await writeFile(at(`store/names/${name}`), text.replace('boot/vmlinuz', '../../etc/cron'));

    await expect(store.exposeIn(at('shown'), 'linux')).rejects.toMatchObject({ code: 'image-damaged' });
  });
});

async function importKernel(name: string, kernel: string, initrd?: string): ReturnType<ImageStore['importKernel']> {
  await writeFile(at('kernel'), kernel, 'latin1');
  await writeFile(at('initial'), initrd ?? '');
  return store.importKernel({ kernel: at('kernel'), initrd: initrd === undefined ? undefined : at('initial') }, name);
}

function at(path: string): string {
  return join(directory.path, path);
}

async function importText(text: string, name: string): ReturnType<ImageStore['importFile']> {
  await writeFile(at('disk'), text);
  return store.importFile(at('disk'), name);
}

function hostileQcow2(): Uint8Array {
  return buildQcow2({ virtualSizeBytes: MIB, backing: { path: '/etc/shadow', format: 'raw' } });
}

async function filesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

import { mkdir, mkdtempDisposable, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openImageStore } from './image-store.ts';
import { mirrorImages } from './mirror-images.ts';

it('gives a store the images of another without copies, and takes back the names that are gone', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-mirror-'));
  const [from, to] = [join(place.path, 'a'), join(place.path, 'b')];
  const [source, target] = [openImageStore(from), openImageStore(to)];
  await writeFile(join(place.path, 'disk'), Buffer.alloc(1_048_576, 7));
  const image = await source.importFile(join(place.path, 'disk'), 'demo');

  await mirrorImages(from, to);
  const mirrored = await target.resolve('demo');
  await source.importFile(join(place.path, 'disk'), 'other');
  await source.remove('demo');
  await mirrorImages(from, to);

  expect(mirrored).toMatchObject({ reference: image.reference, digest: image.digest });
  expect((await stat(mirrored.path)).ino).toBe((await stat((await source.resolve('other')).path)).ino);
  expect((await target.list()).map(({ reference }) => reference)).toEqual(['other:latest']);
});

it('is nothing to do where there are no images, and may be done again', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-mirror-'));

  await mirrorImages(join(place.path, 'a'), join(place.path, 'b'));
  await mirrorImages(join(place.path, 'a'), join(place.path, 'b'));

  expect(await openImageStore(join(place.path, 'b')).list()).toEqual([]);
});

it('leaves alone what others are just writing, on both sides', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-mirror-'));
  const [from, to] = [join(place.path, 'a'), join(place.path, 'b')];
  const [here, there] = ['.one.0123456789abcdef.smalt-draft', '.two.0123456789abcdef.smalt-draft'];
  await Promise.all([from, to].map((store) => mkdir(join(store, 'names'), { recursive: true })));
  await Promise.all([writeFile(join(from, 'names', here), 'half'), writeFile(join(to, 'names', there), 'half')]);

  await mirrorImages(from, to);

  expect([await readdir(join(from, 'names')), await readdir(join(to, 'names'))]).toEqual([[here], [there]]);
});

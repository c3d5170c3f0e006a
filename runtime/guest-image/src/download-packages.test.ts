import { createHash } from 'node:crypto';
import { mkdir, mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';

import { runProgram } from '@smalt/libvirt-daemon';
import { expect, it } from 'vitest';

import { downloadPackages } from './download-packages.ts';

const FILES = [
  'busybox-static_1_all.deb',
  'linux-image-6.1.0-1-cloud-amd64_1_all.deb',
  'qemu-guest-agent_1_all.deb',
] as const;

it('has apt fetch its lists where there are none', async () => {
  await using mirror = await makeMirror(['busybox-static', 'qemu-guest-agent']);

  const files = await downloadPackages(mirror.target, mirror);

  expect(files).toEqual(FILES);
});

it('has apt fetch its lists anew where they are older than the mirror', async () => {
  await using mirror = await makeMirror(['busybox-static']);
  await expect(downloadPackages(mirror.target, mirror)).rejects.toThrow('qemu-guest-agent');
  await mirror.add('qemu-guest-agent');

  const files = await downloadPackages(mirror.target, mirror);

  expect(files).toEqual(FILES);
});

it('says what is wrong when fresh lists do not help', async () => {
  await using mirror = await makeMirror([]);

  await expect(downloadPackages(mirror.target, mirror)).rejects.toMatchObject({
    code: 'command-failed',
    message: expect.stringContaining('busybox-static'),
  });
});

interface Mirror extends AsyncDisposable {
  /** Where packages go. */
  readonly target: string;
  /** Has apt use this mirror and nothing else. */
  readonly environment: Readonly<Record<string, string>>;
  add(name: string, depends?: string): Promise<void>;
}

/** A mirror in a directory of its own, with a kernel that has no files in it and the packages named. */
async function makeMirror(names: readonly string[]): Promise<Mirror> {
  const { path, [Symbol.asyncDispose]: remove } = await mkdtempDisposable('/tmp/mirror-');
  for (const name of ['target', 'packages', 'state/lists/partial', 'cache/archives/partial', 'etc'])
    await mkdir(`${path}/${name}`, { recursive: true });
  await writeFile(`${path}/etc/sources.list`, `deb [trusted=yes] copy:${path}/packages ./\n`);
  await writeFile(`${path}/state/status`, '');
  await writeFile(`${path}/apt.conf`, aptConfiguration(path));
  let index = '';
  const add = async (name: string, depends?: string): Promise<void> => {
    index += await buildPackage(path, name, depends);
    await writeFile(`${path}/packages/Packages`, index);
  };
  await add('linux-image-6.1.0-1-cloud-amd64');
  await add('linux-image-cloud-amd64', 'linux-image-6.1.0-1-cloud-amd64');
  for (const name of names) await add(name);
  return {
    target: `${path}/target`,
    environment: { APT_CONFIG: `${path}/apt.conf` },
    add,
    [Symbol.asyncDispose]: remove,
  };
}

function aptConfiguration(path: string): string {
  const settings = {
    'Dir::Etc::sourcelist': `${path}/etc/sources.list`,
    'Dir::Etc::sourceparts': '/nonexistent',
    'Dir::State': `${path}/state`,
    'Dir::State::status': `${path}/state/status`,
    'Dir::Cache': `${path}/cache`,
    'APT::Sandbox::User': 'root',
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} "${value}";\n`)
    .join('');
}

/** Makes a package and gives its paragraph in the mirror's index. */
async function buildPackage(path: string, name: string, depends?: string): Promise<string> {
  const about = `Package: ${name}\nVersion: 1\nArchitecture: all\n${depends ? `Depends: ${depends}\n` : ''}`;
  await mkdir(`${path}/build/${name}/DEBIAN`, { recursive: true });
  await writeFile(`${path}/build/${name}/DEBIAN/control`, `${about}Maintainer: nobody\nDescription: none\n`);
  const file = `${path}/packages/${name}_1_all.deb`;
  await runProgram({ name: 'dpkg-deb', debianPackage: 'dpkg' }, ['--build', `${path}/build/${name}`, file]);
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return `${about}Filename: ./${name}_1_all.deb\nSize: ${(await stat(file)).size}\nSHA256: ${digest}\n\n`;
}

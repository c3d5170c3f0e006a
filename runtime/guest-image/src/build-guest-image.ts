import { copyFile, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';

import { cpioArchive } from './cpio-archive.ts';
import type { CpioEntry } from './cpio-archive.ts';
import { downloadPackages } from './download-packages.ts';
import { GuestImageError } from './guest-image-error.ts';
import { GUEST_FILES, GUEST_MODULES } from './guest-init.ts';
import { moduleNeeds, orderModules } from './order-modules.ts';

const DPKG_DEB = { name: 'dpkg-deb', debianPackage: 'dpkg' } as const;
const LDD = { name: 'ldd', debianPackage: 'libc-bin' } as const;

/** Downloads Debian's cloud kernel, busybox and guest agent, and makes the files `kernel`, `initramfs` and `packages`. */
export async function buildGuestImage(directory: string, signal?: AbortSignal): Promise<void> {
  const root = join(directory, 'root');
  await mkdir(root, { recursive: true });
  const packages = await downloadPackages(directory, { signal });
  await writeFile(join(directory, 'packages'), `${packages.join('\n')}\n`);
  for (const name of packages) await runProgram(DPKG_DEB, ['-x', join(directory, name), root], { signal });
  const [kernel] = (await readdir(join(root, 'boot'))).filter((name) => name.startsWith('vmlinuz-'));
  if (kernel === undefined) throw new GuestImageError('unusable-packages', `No kernel in ${packages.join(', ')}`);
  await copyFile(join(root, 'boot', kernel), join(directory, 'kernel'));
  const entries = [...skeleton(), ...(await programs(root)), ...(await modules(root))];
  // As it is: where a processor is emulated, unpacking it would be a quarter of the time that a boot takes.
  await writeFile(join(directory, 'initramfs'), cpioArchive(entries));
}

function skeleton(): readonly CpioEntry[] {
  const directories = ['bin', 'dev', 'etc', 'lib', 'lib64', 'mnt', 'modules', 'proc', 'run', 'sbin', 'sys', 'tmp'];
  return [
    ...directories.map((path) => ({ kind: 'directory' as const, path })),
    // What the kernel gives pid 1 as its console, before there is a devtmpfs.
    { kind: 'character-device', path: 'dev/console', major: 5, minor: 1 },
    ...GUEST_FILES.map(({ path, text, isExecutable }) => ({
      kind: 'file' as const,
      path,
      content: Buffer.from(text),
      isExecutable,
    })),
  ];
}

async function programs(root: string): Promise<readonly CpioEntry[]> {
  const busybox = await findFile(root, 'busybox');
  const agent = await findFile(root, 'qemu-ga');
  return [
    { kind: 'file', path: 'bin/busybox', content: await readFile(busybox), isExecutable: true },
    { kind: 'file', path: 'bin/qemu-ga', content: await readFile(agent), isExecutable: true },
    ...(await libraries(agent)),
  ];
}

/** The agent's libraries are those that QEMU on this machine uses too, so they are here in the right version. */
async function libraries(program: string): Promise<readonly CpioEntry[]> {
  const listing = (await runProgram(LDD, [program])).toString();
  const missing = /^\s*(\S+) => not found/m.exec(listing);
  if (missing)
    throw new GuestImageError('unusable-packages', `The library ${missing[1]} of qemu-guest-agent is missing`);
  const entries: CpioEntry[] = [];
  for (const [, path] of listing.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)) {
    if (path === undefined) continue;
    const content = await readFile(await realpath(path));
    const isLoader = basename(path).startsWith('ld-linux');
    entries.push({
      kind: 'file',
      path: `${isLoader ? 'lib64' : 'lib'}/${basename(path)}`,
      content,
      isExecutable: true,
    });
  }
  return entries;
}

async function modules(root: string): Promise<readonly CpioEntry[]> {
  const paths = (await readdir(root, { recursive: true })).filter((path) => /\.ko(\.xz)?$/.test(path));
  const pathOf = new Map(
    paths.map((path) => [
      basename(path)
        .replace(/\.ko.*$/, '')
        .replaceAll('-', '_'),
      path,
    ]),
  );
  const contents = new Map<string, Buffer>();
  const order = await orderModules(GUEST_MODULES, async (name) => {
    const path = pathOf.get(name);
    if (path === undefined) return undefined;
    const file = await readFile(join(root, path));
    const content = path.endsWith('.xz') ? await unpack(root, file) : file;
    contents.set(name, content);
    return moduleNeeds(content);
  });
  return [
    { kind: 'file', path: 'modules/order', content: Buffer.from(`${order.join('\n')}\n`), isExecutable: false },
    ...[...contents].map(([name, content]) => ({
      kind: 'file' as const,
      path: `modules/${name}.ko`,
      content,
      isExecutable: false,
    })),
  ];
}

/** With the busybox that was downloaded: this machine need not have xz. */
async function unpack(root: string, file: Buffer): Promise<Buffer> {
  return runProgram({ name: await findFile(root, 'busybox'), debianPackage: 'busybox-static' }, ['xzcat'], {
    input: file,
  });
}

async function findFile(root: string, name: string): Promise<string> {
  const found = (await readdir(root, { recursive: true, withFileTypes: true })).find(
    (entry) => entry.name === name && entry.isFile() && /\/s?bin$/.test(entry.parentPath),
  );
  if (found) return join(found.parentPath, found.name);
  throw new GuestImageError('unusable-packages', `The downloaded packages hold no program ${name}`);
}

import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { KeyMaterial } from './key-material.ts';
import { PkiDirectory } from './pki-directory.ts';
import { isNothingToDo, type FileOwners, type InstallationPlan } from './plan-installation.ts';

const OWN = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
const OWNERS: FileOwners = { daemons: OWN, guests: OWN };
const NOW = new Date('2026-01-01T00:00:00Z');
const FILES = {
  'CA/cacert.pem': ['ca 1', 0o644],
  'qemu/ca-cert.pem': ['ca 1', 0o644],
  'ch/ca-cert.pem': ['ca 1', 0o644],
  'libvirt/servercert.pem': ['cert 1', 0o644],
  'qemu/server-cert.pem': ['cert 1', 0o644],
  'ch/server-cert.pem': ['cert 1', 0o644],
  'libvirt/private/serverkey.pem': ['key 1', 0o600],
  'qemu/server-key.pem': ['key 1', 0o600],
  'ch/server-key.pem': ['key 1', 0o600],
} as const;
const LINKS = {
  'libvirt/clientcert.pem': 'servercert.pem',
  'libvirt/private/clientkey.pem': 'serverkey.pem',
  'qemu/client-cert.pem': 'server-cert.pem',
  'qemu/client-key.pem': 'server-key.pem',
  'ch/client-cert.pem': 'server-cert.pem',
  'ch/client-key.pem': 'server-key.pem',
} as const;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'smalt-pki-'));
});

afterEach(async () => rm(root, { recursive: true, force: true }));

describe('PkiDirectory', () => {
  it('puts every file and link where libvirt looks, keys for their owner alone', async () => {
    await install(material('1'));

    for (const [path, [content, mode]] of Object.entries(FILES)) {
      expect([path, await readFile(at(path), 'utf8'), (await stat(at(path))).mode & 0o777]).toEqual([
        path,
        content,
        mode,
      ]);
    }
    for (const [path, target] of Object.entries(LINKS))
      expect([path, await readlink(at(path))]).toEqual([path, target]);
    expect((await stat(at('libvirt/private'))).mode & 0o777).toBe(0o700);
  });

  it('finds nothing to do when all is as it should be, and replaces all when the certificate is new', async () => {
    await install(material('1'));

    const again = await install(material('1'));
    const next = await install(material('2'));

    expect([isNothingToDo(again), next.files.length, next.links.length]).toEqual([true, 9, 0]);
    expect(await readFile(at('qemu/client-key.pem'), 'utf8')).toBe('key 2');
    expect(await allNames()).toHaveLength(15);
  });

  it.each([
    ['is missing', 'libvirt/servercert.pem', () => rm(at('libvirt/servercert.pem'))],
    ['was changed', 'qemu/server-cert.pem', () => writeFile(at('qemu/server-cert.pem'), 'changed')],
    ['anybody may read', 'ch/server-key.pem', () => chmod(at('ch/server-key.pem'), 0o644)],
  ])('mends a file that %s', async (_, path, harm) => {
    await install(material('1'));
    await harm();

    const plan = await install(material('1'));

    expect(plan.files.map(({ directory, name }) => `${directory}/${name}`)).toEqual([path]);
    expect((await stat(at(path))).mode & 0o777).toBe(path.includes('key') ? 0o600 : 0o644);
    expect(await readFile(at(path), 'utf8')).toMatch(/1$/);
  });

  it('never writes through a link that somebody planted', async () => {
    await install(material('1'));
    await writeFile(at('precious'), 'precious');
    await rm(at('libvirt/private/serverkey.pem'));
    await symlink(at('precious'), at('libvirt/private/serverkey.pem'));

    await install(material('1'));

    expect(await readFile(at('precious'), 'utf8')).toBe('precious');
    expect((await lstat(at('libvirt/private/serverkey.pem'))).isFile()).toBe(true);
  });

  it('refuses a directory that is a link, and touches nothing then', async () => {
    await mkdir(at('elsewhere'));
    await symlink(at('elsewhere'), at('qemu'));

    await expect(install(material('1'))).rejects.toMatchObject({
      code: 'unsafe-path',
      message: expect.stringContaining('qemu is not a directory'),
    });
    expect(await readdir(at('elsewhere'))).toEqual([]);
  });

  it('refuses a directory that anybody may write to, or that belongs to a stranger', async () => {
    await chmod(root, 0o777);
    await expect(install(material('1'))).rejects.toMatchObject({ code: 'unsafe-path' });

    await chmod(root, 0o755);
    await mkdir(at('ch'));
    await chmod(at('ch'), 0o777);
    await install(material('1'));

    expect((await stat(at('ch'))).mode & 0o777).toBe(0o755);
  });

  it('keeps a file that lies where a link must be, for its owner alone', async () => {
    await mkdir(at('libvirt/private'), { recursive: true });
    await writeFile(at('libvirt/private/clientkey.pem'), 'somebody else', { mode: 0o644 });

    await install(material('1'));

    const backup = at('libvirt/private/clientkey.pem.2026-01-01T00:00:00.000Z.backup');
    expect([await readFile(backup, 'utf8'), (await stat(backup)).mode & 0o777]).toEqual(['somebody else', 0o600]);
    expect(await readlink(at('libvirt/private/clientkey.pem'))).toBe('serverkey.pem');
  });

  it('replaces a link that leads elsewhere', async () => {
    await install(material('1'));
    await rm(at('qemu/client-cert.pem'));
    await symlink('/etc/passwd', at('qemu/client-cert.pem'));

    const plan = await install(material('1'));

    expect(plan).toMatchObject({ files: [], links: [{ name: 'client-cert.pem' }], setAside: [] });
    expect(await readlink(at('qemu/client-cert.pem'))).toBe('server-cert.pem');
  });

  it('changes nothing when something is in the way that is no file', async () => {
    await mkdir(at('ch/server-key.pem'), { recursive: true });

    await expect(install(material('1'))).rejects.toThrow('ch/server-key.pem: not a file; remove it');

    expect(await readdir(at('libvirt'))).toEqual(['private']);
  });

  it('removes what was left over by one that was killed while it wrote', async () => {
    await mkdir(at('libvirt'), { recursive: true });
    await writeFile(at('libvirt/.servercert.pem.0123456789abcdef.new'), 'half');

    await install(material('1'));

    expect((await readdir(at('libvirt'))).toSorted()).toEqual(['clientcert.pem', 'private', 'servercert.pem']);
  });

  it('remembers what was installed, and forgets it before anything changes', async () => {
    const mark = { resourceVersion: '7', fingerprint: 'a'.repeat(64) };
    await install(material('1'));
    await using directory = await PkiDirectory.open(root);
    await directory.writeMark(mark);
    const remembered = await directory.readMark();
    const { mode } = await stat(at('CA/.last_resource_version'));

    await install(material('2'));

    expect([remembered, mode & 0o777, await directory.readMark()]).toEqual([mark, 0o600, undefined]);
  });

  it('takes the mark of another program for none', async () => {
    await using directory = await PkiDirectory.open(root);
    await writeFile(at('CA/.last_resource_version'), '4711');

    expect(await directory.readMark()).toBeUndefined();
  });

  it.runIf(OWN.uid === 0)('gives the keys of guests to the account that guests run under', async () => {
    await install(material('1'), { daemons: OWN, guests: { uid: 64_055, gid: 64_055 } });

    const owners = await Promise.all(
      ['qemu/server-key.pem', 'ch/server-key.pem', 'libvirt/private/serverkey.pem'].map((path) => stat(at(path))),
    );

    expect(owners.map(({ uid, mode }) => [uid, mode & 0o777])).toEqual([
      [64_055, 0o600],
      [64_055, 0o600],
      [0, 0o600],
    ]);
  });
});

async function install(content: KeyMaterial, owners = OWNERS): Promise<InstallationPlan> {
  await using directory = await PkiDirectory.open(root);
  const plan = await directory.plan(content, owners);
  await directory.carryOut(plan, content, owners, NOW);
  return plan;
}

async function allNames(): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

function material(version: string): KeyMaterial {
  const text = (word: string): Buffer => Buffer.from(`${word} ${version}`);
  return { authority: text('ca'), certificate: text('cert'), key: text('key') };
}

function at(path: string): string {
  return join(root, path);
}

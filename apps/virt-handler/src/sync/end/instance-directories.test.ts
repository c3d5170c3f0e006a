import { execFile as execFileCallback } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { Volume } from '@smalt/vm-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createInstanceVolumes } from '../../storage/create-instance-volumes.ts';
import { failed } from '../decide/verdict.ts';
import { anInstance } from '../fixtures/an-instance.ts';
import { NodeStandIns } from '../fixtures/node-stand-ins.ts';
import { InstanceDirectories } from './instance-directories.ts';
import { takeBack } from './put-away-guest.ts';

const execFile = promisify(execFileCallback);
const instance = anInstance();
let root: string;
let directories: InstanceDirectories;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'smalt-directories-'));
  directories = new InstanceDirectories(root, { nodeName: 'node-1', bootId: 'boot-1' });
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('the directory of an instance', () => {
  it('can be passed by everyone and read by nobody else', async () => {
    const path = await directories.prepare(instance, 'pod-1');

    const modes = await Promise.all(
      ['', 'record.node-1.json'].map(async (name) => (await stat(join(path, name))).mode & 0o777),
    );
    expect(modes).toEqual([0o711, 0o600]);
    expect(path).toBe(join(root, 'instances/u-1'));
  });

  it('tells the next handler what is in it', async () => {
    await directories.prepare(instance, 'pod-1');
    await directories.writeVerdict(instance, failed('GuestCrashed', 'It crashed.'));

    const next = new InstanceDirectories(root, { nodeName: 'node-1', bootId: 'boot-2' });
    await next.load();
    const record = await next.read('u-1');

    expect(record).toMatchObject({ podUid: 'pod-1', bootId: 'boot-1', verdict: { reason: 'GuestCrashed' }, instance });
    expect([...next.keys]).toEqual([['u-1', 'default/guest']]);
    expect(record && next.isOfEarlierBoot(record)).toBe(true);
  });

  it('is written anew for another pod, without the end that it had with the first', async () => {
    await directories.prepare(instance, 'pod-1');
    await directories.writeVerdict(instance, failed('GuestCrashed', 'It crashed.'));

    await directories.prepare(instance, 'pod-2');

    expect(await directories.read('u-1')).toMatchObject({ podUid: 'pod-2' });
    expect((await directories.read('u-1'))?.verdict).toBeUndefined();
  });

  it('remembers volumes that it no longer has', async () => {
    await directories.prepare(anInstance({}, { volumes: [volume('a')] }), 'pod-1');

    await directories.update(anInstance({}, { volumes: [volume('b')] }));

    const names = (await directories.read('u-1'))?.instance.spec.volumes?.map(({ name }) => name);
    expect(names).toEqual(['a', 'b']);
  });

  it('knows no more of a volume that was taken back while the guest runs on', async () => {
    const changing = anInstance({}, { volumes: [volume('a'), volume('b')] });
    await directories.prepare(changing, 'pod-1');

    await directories.forgetVolumes(changing, ['b']);

    const { spec, metadata } = (await directories.read('u-1'))?.instance ?? {};
    expect(spec?.volumes).toEqual([volume('a')]);
    expect(metadata).toEqual(changing.metadata);
  });

  it('is refused to a node that shares it, which leaves all that is in it alone', async () => {
    const emptyDisk = anInstance({}, { volumes: [volume('root')] });
    const path = await directories.prepare(emptyDisk, 'pod-1');
    const disk = join(path, 'volumes/root/disk.qcow2');
    await mkdir(dirname(disk), { recursive: true });
    await writeFile(disk, 'contents');
    const other = new InstanceDirectories(root, { nodeName: 'node-2', bootId: 'boot-1' });

    const preparing = other.prepare(emptyDisk, 'pod-2');
    await expect(preparing).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('node-1') });
    const nothing = { cache: { refresh: async () => undefined }, networks: new NodeStandIns().networks };
    const signal = AbortSignal.timeout(5_000);
    await takeBack({ ...nothing, volumes: createInstanceVolumes() }, { instance: emptyDisk, directory: path }, signal);
    await other.remove('u-1');

    expect(await readFile(disk, 'utf8')).toBe('contents');
    await directories.remove('u-1');
    expect(await readdir(join(root, 'instances'))).toEqual([]);
    expect([...directories.keys, ...other.keys]).toEqual([]);
  });

  it('remembers the launcher of its pod, and since when its guest was to shut down', async () => {
    const launcher = { processId: 4711, startTicks: 12, bootId: 'boot-1' };
    await directories.prepare(instance, 'pod-1');

    await directories.writeShutdown(instance, 1_000);
    await directories.prepare(instance, 'pod-1', undefined, launcher);

    expect(await directories.read('u-1')).toMatchObject({ launcher, shutdownAskedAt: 1_000 });
  });

  it('is taken from the account of the guest before it is removed, also for who has it open', async () => {
    const path = await directories.prepare(instance, 'pod-1', { userId: 64_055, groupId: 108 });
    await using sockets = await open(join(path, 'sockets'));
    const before = await sockets.stat();

    await directories.remove('u-1');

    expect([before.uid, (await sockets.stat()).uid]).toEqual([64_055, 0]);
    expect(await readdir(join(root, 'instances'))).toEqual([]);
  });

  it.each(['../../etc', '', '.', 'a/b', 'a\0b'])('is never outside: %j', async (uid) => {
    await expect(directories.read(uid)).rejects.toMatchObject({ code: 'bad-request' });
    await expect(directories.remove(uid)).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('says so when its record is damaged', async () => {
    const path = await directories.prepare(instance, 'pod-1');
    await writeFile(join(path, 'record.node-1.json'), '{"podUid":1}');

    await expect(directories.read('u-1')).rejects.toMatchObject({ code: 'storage-failed' });
  });
});

it('is not removed while something is mounted in it, also when a link leads to it', async () => {
  await using parent = await mkdtempDisposable(join(tmpdir(), 'linked state '));
  await mkdir(join(parent.path, 'real'));
  await symlink(join(parent.path, 'real'), join(parent.path, 'link'));
  const linked = new InstanceDirectories(join(parent.path, 'link'), { nodeName: 'node-1', bootId: 'b' });
  const shown = join(await linked.prepare(instance, 'pod-1'), 'shown');
  await mkdir(shown);
  await execFile('mount', ['-t', 'tmpfs', 'tmpfs', shown]);
  try {
    await writeFile(join(shown, 'disk.img'), 'of a user');

    await expect(linked.remove('u-1')).rejects.toMatchObject({ code: 'conflict' });

    expect(await readFile(join(shown, 'disk.img'), 'utf8')).toBe('of a user');
  } finally {
    await execFile('umount', [shown]);
  }
  await linked.remove('u-1');
  expect(await readdir(join(parent.path, 'real/instances'))).toEqual([]);
});

function volume(name: string): Volume {
  return { name, emptyDisk: { capacity: '1Mi' } };
}

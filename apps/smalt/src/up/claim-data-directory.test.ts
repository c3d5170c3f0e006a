import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { markProcess } from '@smalt/libvirt-daemon';
import { describe, expect, it } from 'vitest';

import { claimDataDirectory, isDataDirectory, readHolder } from './claim-data-directory.ts';
import { defaultDataDirectory } from './data-directory.ts';

describe('claimDataDirectory', () => {
  it('takes a new directory, says who has it, and lets it go', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    const directory = join(place.path, 'a/b');

    const claim = await claimDataDirectory(directory);
    const during = await readHolder(directory);
    await claim[Symbol.asyncDispose]();

    expect(during?.pid).toBe(process.pid);
    expect(await readHolder(directory)).toBeUndefined();
    expect(await isDataDirectory(directory)).toBe(true);
  });

  it('remembers how many hosts it is for', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await (await claimDataDirectory(place.path, { hosts: 3 }))[Symbol.asyncDispose]();

    const fewer = await claimDataDirectory(place.path, { hosts: 2 }).catch((error: unknown) => error);
    await using same = await claimDataDirectory(place.path);

    expect(same.hosts).toBe(3);
    expect(fewer).toMatchObject({ code: 'wrong-use', message: expect.stringContaining('has 3 hosts') });
  });

  it('remembers that its hosts are those of an OpenStack', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await using other = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await (await claimDataDirectory(place.path, { hosts: 2, hasOpenStack: true }))[Symbol.asyncDispose]();
    await (await claimDataDirectory(other.path, { hosts: 2 }))[Symbol.asyncDispose]();

    await using again = await claimDataDirectory(place.path);
    const late = await claimDataDirectory(other.path, { hasOpenStack: true }).catch((error: unknown) => error);

    expect(again).toMatchObject({ hosts: 2, hasOpenStack: true });
    expect(late).toMatchObject({ code: 'wrong-use', message: expect.stringContaining('was made without it') });
  });

  it('looks behind symbolic links for what an OpenStack does not see', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await using unseen = await mkdtempDisposable('/run/smalt-data-');
    const directory = join(place.path, 'link');
    await symlink(unseen.path, directory);

    const refused = await claimDataDirectory(directory, { hosts: 2, hasOpenStack: true }).catch(
      (error: unknown) => error,
    );

    expect(refused).toMatchObject({ code: 'wrong-use', message: expect.stringContaining('do not see /run') });
  });

  it('refuses a directory that another process uses, by its number', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    const other = spawn('sleep', ['60']);
    await once(other, 'spawn');
    await writeFile(join(place.path, 'up.json'), JSON.stringify(await markProcess(other.pid ?? 0)));

    const refused = await claimDataDirectory(place.path).catch((error: unknown) => error);
    other.kill('SIGKILL');
    await once(other, 'exit');

    expect(refused).toMatchObject({
      code: 'start-failed',
      message: expect.stringContaining(`as process ${other.pid}: stop it with smalt down`),
    });
    await using _claim = await claimDataDirectory(place.path);
  });

  it('refuses a directory with files of others, and leaves it as it is', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await writeFile(join(place.path, 'thesis.tex'), '');

    const claiming = claimDataDirectory(place.path);

    await expect(claiming).rejects.toThrow(`${place.path} holds files of others (thesis.tex): give an empty`);
    expect(await readdir(place.path)).toEqual(['thesis.tex']);
    expect(await isDataDirectory(place.path)).toBe(false);
  });

  it('takes one that somebody was about to take who was killed', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await writeFile(join(place.path, 'up.json'), '');
    await writeFile(join(place.path, '.smalt.json.0123456789abcdef.smalt-draft'), '{"kind":');

    await using claim = await claimDataDirectory(place.path);

    expect(claim.hosts).toBe(0);
    expect(await isDataDirectory(place.path)).toBe(true);
  });

  it('refuses a directory whose names only look like those of Smalt', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    for (const name of ['apiserver', 'images', 'volumes']) await mkdir(join(place.path, name));
    await writeFile(join(place.path, 'smalt.json'), '{"name":"a project"}');

    await expect(claimDataDirectory(place.path)).rejects.toThrow('holds files of others');
    expect(await isDataDirectory(place.path)).toBe(false);
  });

  it('takes one that was made before there was a mark', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await mkdir(join(place.path, 'apiserver/identity'), { recursive: true });

    await using _claim = await claimDataDirectory(place.path);

    expect(await isDataDirectory(place.path)).toBe(true);
  });

  it('lets one of many have it, who claim it at the same moment, and again when that one is gone', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));

    const first = await Promise.allSettled(Array.from({ length: 20 }, () => claimDataDirectory(place.path)));
    const winners = first.filter((each) => each.status === 'fulfilled');
    const losers = first.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    for (const { value } of winners) await value[Symbol.asyncDispose]();

    expect(winners.length).toBeGreaterThanOrEqual(1);
    for (const words of losers) expect(words).toMatch(/runs on .* already|cannot be claimed/);
    expect((await readdir(place.path)).toSorted()).toEqual(['smalt.json']);
  });

  it('leaves a claim that became that of another', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    const claim = await claimDataDirectory(place.path);

    await writeFile(join(place.path, 'up.json'), '{"pid":1,"startTicks":"1","bootId":"another"}');
    await claim[Symbol.asyncDispose]();

    expect(await readdir(place.path)).toContain('up.json');
  });

  it('refuses a directory that others may write to', async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await chmod(place.path, 0o777);

    await expect(claimDataDirectory(place.path)).rejects.toThrow('others may write to it');
  });

  it.each(['', '{', '{"pid":1}', '[]'])('takes a directory whose claim is damaged: %j', async (text) => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-data-'));
    await writeFile(join(place.path, 'smalt.json'), '{"kind":"SmaltData","version":1,"hosts":0}');
    await writeFile(join(place.path, 'up.json'), text);

    await using claim = await claimDataDirectory(place.path);

    expect(claim.hosts).toBe(0);
  });

  it('says why a directory cannot be one', async () => {
    await expect(claimDataDirectory('/proc/version')).rejects.toThrow(/^\/proc\/version cannot be used: EEXIST/);
  });
});

describe('defaultDataDirectory', () => {
  it.each([
    { userId: 0, environment: { XDG_STATE_HOME: '/s' }, path: '/var/lib/smalt' },
    { userId: 7, environment: { XDG_STATE_HOME: '/s' }, path: '/s/smalt' },
    { userId: 7, environment: { XDG_STATE_HOME: 'relative' }, path: '/home/x/.local/state/smalt' },
    { userId: 7, environment: {}, path: '/home/x/.local/state/smalt' },
  ])('is $path for user $userId with $environment', ({ userId, environment, path }) => {
    expect(defaultDataDirectory({ userId, environment, home: '/home/x' })).toBe(path);
  });
});

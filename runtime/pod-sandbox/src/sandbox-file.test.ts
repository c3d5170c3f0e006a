import { mkdir, mkdtemp, mkdtempDisposable, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openSandboxes } from './open-sandboxes.ts';
import { parseSandbox } from './parse-sandbox.ts';
import type { PodSandbox } from './pod-sandbox.ts';
import { readSandbox, writeSandbox } from './sandbox-file.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smalt-sandboxes-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

it('reads what was written, and shows it to nobody else', async () => {
  await writeSandbox(directory, sandbox('u1'));
  await writeSandbox(directory, sandbox('u2'));

  const sandboxes = await openSandboxes(directory);

  expect(await sandboxes.find('u1')).toEqual(sandbox('u1'));
  expect((await sandboxes.list()).map(({ podUid }) => podUid).toSorted()).toEqual(['u1', 'u2']);
  expect((await stat(join(directory, 'u1/sandbox.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(directory, 'u1'))).toEqual(['sandbox.json']);
});

it('knows pods without processes', async () => {
  const recorded = { ...sandbox('u3'), launcher: undefined, guestCgroup: undefined };

  await writeSandbox(directory, recorded);

  expect(await readSandbox(directory, 'u3')).toEqual(recorded);
});

it.each(['../other/u4', '..', '.', ''])('finds nothing for the uid %j, which is no name', async (podUid) => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-sandboxes-'));
  const pods = join(place.path, 'pods');
  await mkdir(pods);
  const record = JSON.stringify(sandbox(podUid));
  for (const there of [pods, join(pods, podUid)]) {
    await mkdir(there, { recursive: true });
    await writeFile(join(there, 'sandbox.json'), record);
  }

  expect(await (await openSandboxes(pods)).find(podUid)).toBeUndefined();
});

it('finds nothing where there is nothing', async () => {
  await mkdir(join(directory, 'empty'));
  await writeFile(join(directory, 'a-file'), '');
  const sandboxes = await openSandboxes(join(directory, 'nowhere'));

  expect(await readSandbox(directory, 'empty')).toBeUndefined();
  expect(await readSandbox(directory, 'a-file')).toBeUndefined();
  expect(await sandboxes.list()).toEqual([]);
});

it('moves nothing where a pod has no cgroup', async () => {
  const sandboxes = await openSandboxes(directory);

  const moved = sandboxes.moveToGuestCgroup(
    { ...sandbox('u4'), guestCgroup: undefined },
    [1],
    AbortSignal.timeout(1_000),
  );

  await expect(moved).resolves.toBeUndefined();
});

describe('parseSandbox', () => {
  const origin = { path: '/pods/u/sandbox.json', podUid: 'u' };

  it.each<{ readonly change: object; readonly says: string }>([
    { change: { podUid: 'v' }, says: 'podUid is v, not the name of its directory' },
    { change: { namespace: '' }, says: 'namespace is missing' },
    { change: { name: 5 }, says: 'name is missing' },
    { change: { launcher: { processId: -1, startTicks: 1 } }, says: 'launcher.processId is no process' },
    { change: { launcher: { processId: 1, startTicks: 1 } }, says: 'launcher.processId is no process' },
    { change: { launcher: { processId: 5 } }, says: 'launcher.startTicks is no number' },
    { change: { launcher: [] }, says: 'launcher is no object' },
    { change: { guestCgroup: '/' }, says: 'guestCgroup is no path of a cgroup' },
    { change: { guestCgroup: '/a/../..' }, says: 'guestCgroup is no path of a cgroup' },
    { change: { volumes: { a: { kind: 'x', path: '/a' } } }, says: 'volumes.a.kind is neither directory nor block' },
    { change: { volumes: { a: { kind: 'block', path: 'a' } } }, says: 'volumes.a.path is no absolute path' },
  ])('refuses $change', ({ change, says }) => {
    const text = JSON.stringify({ ...sandbox('u'), ...change });

    expect(() => parseSandbox(text, origin)).toThrow(`/pods/u/sandbox.json: ${says}`);
  });

  it.each(['', '{"podUid":', 'null', '[]'])('refuses the text %j', (text) => {
    expect(() => parseSandbox(text, origin)).toThrow('/pods/u/sandbox.json: the file is no');
  });
});

function sandbox(podUid: string): PodSandbox {
  return {
    podUid,
    namespace: 'default',
    name: 'virt-launcher-vm',
    launcher: { processId: 4711, startTicks: 12, bootId: 'boot' },
    guestCgroup: `/smalt/pods/${podUid}/guest`,
    volumes: { root: { kind: 'directory', path: '/pods/volumes/root' } },
  };
}

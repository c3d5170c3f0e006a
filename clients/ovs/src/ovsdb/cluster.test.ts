import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openBedDirectory } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseRemote } from '../connection/parse-remote.ts';
import { DatabaseServer, freePorts } from './fixtures/database-server.ts';
import { openOvsdb } from './open-ovsdb.ts';
import type { Ovsdb, OvsdbChange } from './ovsdb.ts';

const tables = { Thing: { name: 'string', size: 'integer' } } as const;
const quick = { backOff: { initialMs: 20, maxMs: 200 }, requestTimeoutMs: 2000 } as const;

describe('a cluster of three servers', () => {
  const owned = new AsyncDisposableStack();
  let servers: readonly DatabaseServer[];

  beforeAll(async () => {
    const directory = owned.use(await openBedDirectory()).path;
    const ports = await freePorts(3);
    const addresses = ports.map((port) => `tcp:127.0.0.1:${port}`);
    servers = await Promise.all(addresses.map((_, index) => member(join(directory, `s${index}`), index, addresses)));
    for (const server of servers) await server.start();
  });

  afterAll(async () => {
    await owned.disposeAsync();
  });

  it('is followed over the death of its leader, by the new one, without reading anything twice', async () => {
    await allAreMembers();
    const [leader] = await leaders();
    const others = servers.filter((server) => server !== leader);
    await using ovsdb = open([...others, ...(leader ? [leader] : [])], true);
    await ovsdb.synchronized(soon());
    const first = ovsdb.remote;
    await ovsdb.transact([{ op: 'insert', table: 'Thing', row: { name: 'before', size: 2n ** 60n } }]);
    await expect.poll(() => ovsdb.cache.Thing.size).toBe(1);
    const changes: OvsdbChange<typeof tables>[] = [];
    ovsdb.subscribe((change) => changes.push(change));

    await leader?.kill();
    await expect.poll(() => ovsdb.state.kind).toBe('disconnected');
    await expect.poll(() => ovsdb.state.kind, { timeout: 25_000 }).toBe('connected');
    await ovsdb.transact([{ op: 'insert', table: 'Thing', row: { name: 'after' } }]);
    await expect.poll(() => ovsdb.cache.Thing.size).toBe(2);

    expect([first, others.map((server) => `unix:${server.socket}`).includes(ovsdb.remote ?? '')]).toEqual([
      `unix:${leader?.socket}`,
      true,
    ]);
    expect(changes.flatMap(({ rows }) => rows)).toMatchObject([{ kind: 'inserted', row: { name: 'after', size: 0n } }]);
    await leader?.start();
  });

  it('does not pass for news when the member that is left has lost the others', async () => {
    await allAreMembers();
    await using ovsdb = open(servers, false);
    await ovsdb.synchronized(soon());
    const others = servers.filter((server) => ovsdb.remote !== `unix:${server.socket}`);

    for (const server of others) await server.kill();
    await expect
      .poll(() => ovsdb.state, { timeout: 25_000 })
      .toMatchObject({
        kind: 'disconnected',
        why: expect.stringMatching(/cut off|nothing listens|does not exist/),
      });
    const whileAlone = ovsdb.cache.Thing.size;
    await others[0]?.start();
    await ovsdb.synchronized(soon());

    expect([others.length, whileAlone, ovsdb.cache.Thing.size]).toEqual([2, 2, 2]);
  });

  async function member(directory: string, index: number, addresses: readonly string[]): Promise<DatabaseServer> {
    await mkdir(directory);
    const [first = ''] = addresses;
    const own = addresses[index] ?? '';
    const create = (file: string, schemaFile: string): readonly string[] =>
      index === 0 ? ['create-cluster', file, schemaFile, own] : ['join-cluster', file, 'Test', own, first];
    const server = owned.use(new DatabaseServer({ directory, create }));
    await server.create();
    return server;
  }

  async function allAreMembers(): Promise<void> {
    const status = 'cluster member';
    await expect.poll(statuses, { timeout: 25_000 }).toEqual([status, status, status]);
    await expect.poll(leaders).toHaveLength(1);
  }

  async function statuses(): Promise<readonly (string | undefined)[]> {
    const texts = await Promise.all(servers.map((server) => server.clusterStatus()));
    return texts.map((text) => /^Status: (.*)$/m.exec(text)?.[1]);
  }

  async function leaders(): Promise<readonly DatabaseServer[]> {
    const texts = await Promise.all(servers.map((server) => server.clusterStatus()));
    return servers.filter((_, index) => /^Role: leader$/m.test(texts[index] ?? ''));
  }
});

function soon(): AbortSignal {
  return AbortSignal.timeout(25_000);
}

function open(members: readonly DatabaseServer[], leaderOnly: boolean): Ovsdb<typeof tables> & AsyncDisposable {
  const target = parseRemote(members.map((server) => `unix:${server.socket}`).join(','));
  return openOvsdb({ target, database: 'Test', tables, leaderOnly, ...quick });
}

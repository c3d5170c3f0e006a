import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type OvsNode, startOvsNode } from '@smalt/bed-ovs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { parseRemote } from '../connection/parse-remote.ts';
import { startProxy } from './fixtures/start-proxy.ts';
import { openOvsdb } from './open-ovsdb.ts';
import type { Ovsdb, OvsdbChange } from './ovsdb.ts';
import type { OvsdbOptions } from './ovsdb-options.ts';
import type { TableKinds } from './values/column-kind.ts';

const run = promisify(execFile);
const tables = { Bridge: { name: 'string', external_ids: 'map' } } as const satisfies TableKinds;
const quick = {
  echoMs: 200,
  echoTimeoutMs: 700,
  requestTimeoutMs: 2000,
  backOff: { initialMs: 20, maxMs: 100 },
} as const;

describe('a database that goes away and comes back', () => {
  let node: OvsNode;
  let owned = new AsyncDisposableStack();

  beforeAll(async () => {
    node = await startOvsNode({ datapath: 'dummy' });
    await node.vsctl('add-br', 'br0', '--', 'add-br', 'br1');
    // Nothing here needs it, and without it the database only changes when a test wants it to.
    await node.kill('ovs-vswitchd');
  });

  afterEach(async () => {
    await owned.disposeAsync();
    owned = new AsyncDisposableStack();
  });

  afterAll(async () => {
    await node[Symbol.asyncDispose]();
  });

  it('is silent while the server stands still, and goes on as if nothing had happened', async () => {
    const { ovsdb, changes } = await open(node.databaseSocket);

    await node.kill('ovsdb-server', 'SIGSTOP');
    await expect.poll(() => ovsdb.state.kind).toBe('silent');
    const call = ovsdb.transact([{ op: 'comment', comment: 'nobody hears this' }], { timeoutMs: 50 });
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
    const whileSilent = { state: ovsdb.state, bridges: ovsdb.cache.Bridge.size };
    await node.kill('ovsdb-server', 'SIGCONT');
    await setBridge('silence=over');
    await expect.poll(() => changes.flatMap(({ rows }) => rows)).toHaveLength(1);

    expect(whileSilent).toMatchObject({ state: { why: expect.stringContaining('answers nothing') }, bridges: 2 });
    // Not one row came anew, so it is the same connection.
    expect(changes.flatMap(({ rows }) => rows.map(({ kind }) => kind))).toEqual(['modified']);
    expect([changes[0]?.state.kind, changes.at(-1)?.state.kind]).toEqual(['silent', 'connected']);
  });

  it('is silent, not connected, when the server stands still from the beginning', async () => {
    await node.kill('ovsdb-server', 'SIGSTOP');
    const { ovsdb } = await open(node.databaseSocket, { requestTimeoutMs: 300 }, false);

    await expect.poll(() => ovsdb.state.kind).toBe('silent');
    const since = ovsdb.state.since;
    await expect.poll(() => ovsdb.state.why).toContain('get_schema');
    const stillSince = ovsdb.state.since;
    await node.kill('ovsdb-server', 'SIGCONT');
    await ovsdb.synchronized(soon());

    expect([since === stillSince, ovsdb.cache.Bridge.size]).toEqual([true, 2]);
  });

  it('makes a connection anew that stays silent for too long', async () => {
    await using proxy = await startProxy({ server: { path: node.databaseSocket } });
    const { ovsdb } = await open(proxy.path, { silentLimitMs: 300, requestTimeoutMs: 300 });

    await node.kill('ovsdb-server', 'SIGSTOP');
    await expect.poll(() => proxy.connections).toBeGreaterThan(1);
    const state = ovsdb.state.kind;
    await node.kill('ovsdb-server', 'SIGCONT');
    await ovsdb.synchronized(soon());

    expect([state, ovsdb.cache.Bridge.size]).toEqual(['silent', 2]);
  });

  it('keeps its rows while the server is dead, and tells only what changed meanwhile', async () => {
    const { ovsdb, changes } = await open(node.databaseSocket);
    const before = bridges(ovsdb);

    await node.kill('ovsdb-server');
    await expect.poll(() => ovsdb.state.kind).toBe('disconnected');
    const whileAway = bridges(ovsdb);
    await expect(ovsdb.listDatabases()).rejects.toMatchObject({ code: 'unreachable' });
    await changeFile('restarted');
    await node.start('ovsdb-server');
    await ovsdb.synchronized(soon());

    const after = bridges(ovsdb);
    expect(whileAway).toEqual(before);
    expect([after.get('br1') === before.get('br1'), after.get('br0')?.external_ids.get('file')]).toEqual([
      true,
      'restarted',
    ]);
    expect(changes.flatMap(({ rows }) => rows)).toEqual([
      { kind: 'modified', table: 'Bridge', row: after.get('br0'), old: before.get('br0') },
    ]);
    expect(changes.at(-1)).toMatchObject({ state: { kind: 'connected' }, rows: [{}] });
  });

  it('follows further tables again after a restart', async () => {
    const { ovsdb } = await open(node.databaseSocket);
    await using ports = ovsdb.monitor({ Port: { name: 'string', external_ids: 'map' } });
    await ports.synchronized(soon());

    await node.restart('ovsdb-server');
    await expect.poll(() => ovsdb.state.kind).toBe('connected');
    await ports.synchronized(soon());
    await node.vsctl('--no-wait', 'set', 'port', 'br1', 'external_ids:seen=again');

    const ids = (): unknown => [...ports.cache.Port.values()].find(({ name }) => name === 'br1')?.external_ids;
    await expect.poll(ids).toEqual(new Map([['seen', 'again']]));
  });

  it('has the rows it was asked for while the server was away', async () => {
    const { ovsdb } = await open(node.databaseSocket);
    await using further = ovsdb.monitor({ Interface: { name: 'string' } }, { where: named('br0') });
    await further.synchronized(soon());

    await node.kill('ovsdb-server');
    await expect.poll(() => ovsdb.state.kind).toBe('disconnected');
    further.changeWhere(named('br1'));
    await node.start('ovsdb-server');
    await further.synchronized(soon());

    expect([...further.cache.Interface.values()].map(({ name }) => name)).toEqual(['br1']);
  });

  it('answers the server that asks over tcp whether it lives, and so stays connected', async () => {
    await node.vsctl(
      '--no-wait',
      'set-manager',
      'ptcp:0:127.0.0.1',
      '--',
      'set',
      'manager',
      '.',
      'inactivity_probe=1000',
    );
    const status = (): Promise<string> => node.vsctl('--no-wait', 'get', 'manager', '.', 'status');
    await expect.poll(status).toContain('bound_port');
    const port = Number(/bound_port="(\d+)"/.exec(await status())?.[1]);
    await using proxy = await startProxy({ server: { host: '127.0.0.1', port } });

    const { ovsdb } = await open(proxy.path, { echoMs: 600_000 });
    const asked = (): readonly unknown[] => proxy.fromServer.filter(({ kind }) => kind === 'request');
    // It would have hung up instead of asking a second time.
    await expect.poll(asked).toHaveLength(2);

    expect([ovsdb.state.kind, proxy.connections]).toEqual(['connected', 1]);
    await node.vsctl('--no-wait', 'del-manager');
  });

  it.each([
    { what: 'monitor_cond', unknown: ['monitor_cond_since'], told: 'update2' },
    { what: 'monitor', unknown: ['monitor_cond_since', 'monitor_cond'], told: 'update' },
  ])('makes do with $what of an older server', async ({ unknown, told }) => {
    await using proxy = await startProxy({ server: { path: node.databaseSocket }, unknown });
    const { ovsdb, changes } = await open(proxy.path);
    const before = bridges(ovsdb);
    const withRows = (): readonly OvsdbChange<typeof tables>[] => changes.filter(({ rows }) => rows.length > 0);

    await setBridge(`told=${told}`, 'gone=soon');
    await expect.poll(withRows).toHaveLength(1);
    await node.vsctl(
      '--no-wait',
      'remove',
      'bridge',
      'br0',
      'external_ids',
      'gone',
      '--',
      '--id=@b',
      'create',
      'bridge',
      'name=br2',
      '--',
      'add',
      'open_vswitch',
      '.',
      'bridges',
      '@b',
    );
    await node.vsctl('--no-wait', 'del-br', 'br2');
    await expect.poll(withRows).toHaveLength(3);

    const methods = proxy.fromServer.flatMap((message) => ('method' in message ? [message.method] : []));
    expect(new Set(methods.filter((method) => method !== 'echo'))).toEqual(new Set([told]));
    expect(withRows().map(({ rows }) => rows.map(({ kind }) => kind).toSorted())).toEqual([
      ['modified'],
      ['inserted', 'modified'],
      ['deleted'],
    ]);
    expect(bridges(ovsdb).get('br0')?.external_ids.get('told')).toBe(told);
    expect([
      bridges(ovsdb).get('br0')?.external_ids.has('gone'),
      bridges(ovsdb).get('br1') === before.get('br1'),
    ]).toEqual([false, true]);
  });

  async function open(
    path: string,
    options: Partial<OvsdbOptions<typeof tables>> = {},
    waits = true,
  ): Promise<{ ovsdb: Ovsdb<typeof tables>; changes: OvsdbChange<typeof tables>[] }> {
    const target = parseRemote(`unix:${path}`);
    const ovsdb = owned.use(openOvsdb({ target, database: 'Open_vSwitch', tables, ...quick, ...options }));
    if (waits) await ovsdb.synchronized(soon());
    const changes: OvsdbChange<typeof tables>[] = [];
    ovsdb.subscribe((change) => changes.push(change));
    return { ovsdb, changes };
  }

  async function setBridge(...ids: readonly string[]): Promise<void> {
    await node.vsctl('--no-wait', 'set', 'bridge', 'br0', ...ids.map((id) => `external_ids:${id}`));
  }

  /** Changes the database while no server has it open. */
  async function changeFile(value: string): Promise<void> {
    const mutation = ['external_ids', 'insert', ['map', [['file', value]]]];
    const operation = { op: 'mutate', table: 'Bridge', where: [['name', '==', 'br0']], mutations: [mutation] };
    const file = join(node.place.databaseDirectory, 'conf.db');
    await run('ovsdb-tool', ['transact', file, JSON.stringify(['Open_vSwitch', operation])]);
  }
});

function bridges(
  ovsdb: Ovsdb<typeof tables>,
): ReadonlyMap<string, { readonly external_ids: ReadonlyMap<string, string> }> {
  return new Map([...ovsdb.cache.Bridge.values()].map((row) => [row.name, row]));
}

function named(name: string) {
  return { Interface: [['name', '==', name] as const] };
}

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

import { type OvsNode, startOvsNode } from '@smalt/bed-ovs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { parseRemote } from '../connection/parse-remote.ts';
import { openOvsdb } from './open-ovsdb.ts';
import type { Ovsdb, OvsdbChange } from './ovsdb.ts';
import type { TableKinds } from './values/column-kind.ts';
import { namedReference, type OvsdbOperation, rowReference } from './values/operation.ts';

const tables = {
  Open_vSwitch: { bridges: 'references', ovs_version: 'optional-string', next_cfg: 'integer' },
  Bridge: {
    name: 'string',
    ports: 'references',
    external_ids: 'map',
    fail_mode: 'optional-string',
    protocols: 'strings',
    mcast_snooping_enable: 'boolean',
    flow_tables: 'map-integer-reference',
  },
  Flow_Table: { flow_limit: 'optional-integer' },
} as const satisfies TableKinds;

describe('openOvsdb', () => {
  let node: OvsNode;
  let ovsdb: Ovsdb<typeof tables> & AsyncDisposable;
  let changes: OvsdbChange<typeof tables>[];

  beforeAll(async () => {
    node = await startOvsNode({ datapath: 'dummy' });
  });

  afterAll(async () => {
    await node[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    await node.vsctl('--if-exists', 'del-br', 'br0', '--', 'add-br', 'br0');
    changes = [];
    const target = parseRemote(`unix:${node.databaseSocket}`);
    ovsdb = openOvsdb({ target, database: 'Open_vSwitch', tables });
    await ovsdb.synchronized(soon());
    ovsdb.subscribe((change) => changes.push(change));
  });

  afterEach(async () => {
    await ovsdb[Symbol.asyncDispose]();
  });

  it('holds typed rows, with the defaults that the server leaves out', () => {
    const [root] = ovsdb.cache.Open_vSwitch.values();
    const bridge = bridgeRow();

    expect([ovsdb.state.kind, ovsdb.remote, ovsdb.schema?.version]).toEqual([
      'connected',
      `unix:${node.databaseSocket}`,
      '8.3.1',
    ]);
    expect(root).toMatchObject({ ovs_version: '3.1.0', bridges: new Set([bridge._uuid]) });
    expect([root?.next_cfg === BigInt(root?.next_cfg ?? 0), Object.isFrozen(bridge)]).toEqual([true, true]);
    expect(bridge).toEqual({
      _uuid: bridge._uuid,
      name: 'br0',
      ports: new Set(bridge.ports),
      external_ids: new Map(),
      fail_mode: undefined,
      protocols: new Set(),
      mcast_snooping_enable: false,
      flow_tables: new Map(),
    });
  });

  it('tells a transaction at once: what came, what changed with its old row, what went', async () => {
    const bridge = bridgeRow();

    await node.vsctl('--no-wait', 'set', 'bridge', 'br0', 'fail_mode=secure', '--', 'add-br', 'br1');
    await node.vsctl('--no-wait', 'del-br', 'br1');
    await expect
      .poll(() => changes.flatMap(({ rows }) => rows.filter(({ kind }) => kind === 'deleted')))
      .toHaveLength(1);

    const aboutBridges = changes.map(({ rows }) => rows.filter(({ table }) => table === 'Bridge'));
    const [first, second] = aboutBridges.filter((rows) => rows.length > 0);
    const added = first?.find(({ kind }) => kind === 'inserted');
    expect(first?.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toMatchObject([
      { kind: 'inserted', row: { name: 'br1' } },
      { kind: 'modified', row: { name: 'br0', fail_mode: 'secure' } },
    ]);
    expect(first?.find(({ kind }) => kind === 'modified')).toMatchObject({ old: bridge });
    expect(second).toEqual([{ kind: 'deleted', table: 'Bridge', old: added?.kind === 'inserted' ? added.row : {} }]);
  });

  it('knows a key that is deleted from one that is inserted, though both look the same on the wire', async () => {
    await set('external_ids:probe=X', 'external_ids:other=1');
    await expect.poll(bridgeRow).toMatchObject({
      external_ids: new Map([
        ['probe', 'X'],
        ['other', '1'],
      ]),
    });

    await node.vsctl('--no-wait', 'remove', 'bridge', 'br0', 'external_ids', 'probe');
    await expect.poll(bridgeRow).toMatchObject({ external_ids: new Map([['other', '1']]) });
    await set('external_ids:probe=X');
    await expect.poll(bridgeRow).toMatchObject({
      external_ids: new Map([
        ['other', '1'],
        ['probe', 'X'],
      ]),
    });
    await set('external_ids:probe=Y');

    await expect.poll(bridgeRow).toMatchObject({
      external_ids: new Map([
        ['other', '1'],
        ['probe', 'Y'],
      ]),
    });
  });

  it('follows sets and optional values as they change', async () => {
    await set('protocols=OpenFlow10,OpenFlow13', 'fail_mode=secure', 'mcast_snooping_enable=true');
    await expect.poll(bridgeRow).toMatchObject({
      protocols: new Set(['OpenFlow10', 'OpenFlow13']),
      fail_mode: 'secure',
      mcast_snooping_enable: true,
    });

    await set('protocols=OpenFlow13,OpenFlow15', 'fail_mode=standalone', 'mcast_snooping_enable=false');
    await expect.poll(bridgeRow).toMatchObject({
      protocols: new Set(['OpenFlow13', 'OpenFlow15']),
      fail_mode: 'standalone',
      mcast_snooping_enable: false,
    });
    await node.vsctl('--no-wait', 'clear', 'bridge', 'br0', 'fail_mode', 'protocols');

    await expect.poll(bridgeRow).toMatchObject({ protocols: new Set(), fail_mode: undefined });
  });

  it('carries integers of 64 bits without loss, there and back', async () => {
    const limit = 9_223_372_036_854_775_807n;

    const [{ uuid }, { count }] = await ovsdb.transact([
      { op: 'insert', table: 'Flow_Table', row: { flow_limit: limit }, uuidName: 'table' },
      {
        op: 'mutate',
        table: 'Bridge',
        where: [['name', '==', 'br0']],
        mutations: [['flow_tables', 'insert', new Map([[7, namedReference('table')]])]],
      },
    ]);
    await expect.poll(bridgeRow).toMatchObject({ flow_tables: new Map([[7n, uuid]]) });

    expect([count, ovsdb.cache.Flow_Table.get(uuid)?.flow_limit]).toEqual([1, limit]);
    expect(await ovsdb.select({ table: 'Flow_Table', columns: { flow_limit: 'optional-integer' } })).toEqual([
      { _uuid: uuid, flow_limit: limit },
    ]);
  });

  it.each<{
    readonly what: string;
    readonly operations: readonly OvsdbOperation[];
    readonly operation: number;
    readonly message: RegExp;
  }>([
    {
      what: 'the second operation',
      operations: [
        { op: 'comment', comment: 'ok' },
        { op: 'delete', table: 'Nonsense', where: [] },
      ],
      operation: 1,
      message: /^operation 1 \(delete Nonsense\) was refused: .*Nonsense/,
    },
    {
      what: 'a condition that does not hold',
      operations: [{ op: 'wait', table: 'Bridge', where: [], columns: ['name'], until: '==', rows: [] }],
      operation: 0,
      message: /^operation 0 \(wait Bridge\) was refused: timed out/,
    },
    {
      what: 'the transaction as a whole',
      operations: [
        { op: 'insert', table: 'Open_vSwitch', row: { bridges: rowReference('00000000-0000-4000-8000-000000000009') } },
      ],
      operation: 1,
      message: /^the transaction was refused: /,
    },
  ])('tells that $what was refused, and nothing is done', async ({ operations, operation, message }) => {
    await expect(ovsdb.transact(operations)).rejects.toMatchObject({
      code: 'refused',
      operation,
      message: expect.stringMatching(message),
    });

    expect(ovsdb.state.kind).toBe('connected');
  });

  it('reads rows once that it does not follow', async () => {
    const ports = await ovsdb.select({ table: 'Port', columns: { name: 'string' }, where: [['name', '==', 'br0']] });
    const bare = await ovsdb.select({ table: 'Port', columns: {} });
    const missing = ovsdb.select({ table: 'Port', columns: { colour: 'string' } });

    expect(ports).toEqual([{ _uuid: [...bridgeRow().ports][0], name: 'br0' }]);
    expect(bare).toEqual([{ _uuid: ports[0]?._uuid }]);
    await expect(missing).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('Port.colour'),
    });
  });

  it('names databases and reads their schemas', async () => {
    expect(await ovsdb.listDatabases()).toEqual(expect.arrayContaining(['Open_vSwitch', '_Server']));
    expect((await ovsdb.getSchema('_Server')).tables.has('Database')).toBe(true);
    await expect(ovsdb.getSchema('Nonsense')).rejects.toMatchObject({ code: 'refused' });
  });

  it('can be iterated, and the iteration ends with its signal', async () => {
    const stop = new AbortController();
    const seen: (string | undefined)[] = [];
    const iteration = ovsdb.changes(stop.signal);

    await set('fail_mode=secure');
    for await (const { rows } of iteration) {
      for (const change of rows)
        if (change.table === 'Bridge' && change.kind === 'modified') seen.push(change.row.fail_mode);
      if (seen.length > 0) stop.abort();
    }

    expect(seen).toEqual(['secure']);
  });

  it('gives up waiting when the signal fires, and when it is closed', async () => {
    const away = openOvsdb({
      target: parseRemote(`unix:${node.runDirectory}/nothing.sock`),
      database: 'Open_vSwitch',
      tables,
    });
    await expect(away.transact([])).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('does not exist'),
    });
    await expect(away.synchronized(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
    const waiting = Promise.allSettled([away.synchronized(soon())]);

    await away[Symbol.asyncDispose]();

    expect(await waiting).toMatchObject([{ status: 'rejected', reason: { code: 'closed' } }]);
    expect(away.state).toMatchObject({ kind: 'disconnected', why: expect.stringContaining('closed') });
    await expect(away.listDatabases()).rejects.toMatchObject({ code: 'closed' });
    await expect(away.synchronized(soon())).rejects.toMatchObject({ code: 'closed' });
  });

  it('says so when the server has no such database', async () => {
    await using other = openOvsdb({
      target: parseRemote(`unix:${node.databaseSocket}`),
      database: 'Nonsense',
      tables: {},
    });

    await expect
      .poll(() => other.state)
      .toMatchObject({ kind: 'disconnected', why: expect.stringContaining('Nonsense') });
  });

  function bridgeRow(): typeof ovsdb.cache.Bridge extends ReadonlyMap<string, infer Row> ? Row : never {
    const row = [...ovsdb.cache.Bridge.values()].find(({ name }) => name === 'br0');
    if (row === undefined) throw new Error('there is no br0');
    return row;
  }

  async function set(...settings: readonly string[]): Promise<void> {
    await node.vsctl('--no-wait', 'set', 'bridge', 'br0', ...settings);
  }
});

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

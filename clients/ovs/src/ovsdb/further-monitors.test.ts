import { type OvsNode, startOvsNode } from '@smalt/bed-ovs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseRemote } from '../connection/parse-remote.ts';
import type { OvsWarning } from '../connection/ovs-warning.ts';
import { openOvsdb } from './open-ovsdb.ts';
import type { Ovsdb, OvsdbChange } from './ovsdb.ts';
import type { RowChange } from './values/column-kind.ts';
import { namedReference, type OvsdbOperation } from './values/operation.ts';

const tables = { Bridge: { name: 'string', ports: 'references', external_ids: 'map' } } as const;

describe('monitor', () => {
  const warnings: OvsWarning[] = [];
  const changes: OvsdbChange<typeof tables>[] = [];
  let node: OvsNode;
  let ovsdb: Ovsdb<typeof tables> & AsyncDisposable;

  beforeAll(async () => {
    node = await startOvsNode({ datapath: 'dummy' });
    await node.vsctl('add-br', 'br0');
    // Without it five thousand ports are quickly made, and nothing changes by itself.
    await node.kill('ovs-vswitchd');
    const target = parseRemote(`unix:${node.databaseSocket}`);
    ovsdb = openOvsdb({ target, database: 'Open_vSwitch', tables, onWarning: (warning) => warnings.push(warning) });
    await ovsdb.synchronized(soon());
    ovsdb.subscribe((change) => changes.push(change));
  });

  afterAll(async () => {
    await ovsdb[Symbol.asyncDispose]();
    await node[Symbol.asyncDispose]();
  });

  it('leaves out what the server does not have, and names it', async () => {
    await using further = ovsdb.monitor({
      Bridge: { name: 'string', colour: 'map', ports: 'strings' },
      Nonsense: { a: 'string' },
    });

    await further.synchronized(soon());

    expect(further.missing).toEqual(['Bridge.colour', 'Bridge.ports', 'Nonsense']);
    expect([...further.cache.Bridge.values()]).toMatchObject([{ name: 'br0', colour: new Map(), ports: new Set() }]);
    expect([further.cache.Nonsense.size, warnings.map(({ kind }) => kind)]).toEqual([0, ['missing-column']]);
  });

  it('follows further tables on the same connection, only the rows that are asked for, until it is disposed of', async () => {
    const where = {
      Interface: [
        ['name', '==', 'br0'],
        ['name', '==', 'later'],
      ],
    } as const;
    const further = ovsdb.monitor({ Interface: { name: 'string', external_ids: 'map' } }, { where });
    await further.synchronized(soon());
    const names = (): readonly string[] => [...further.cache.Interface.values()].map(({ name }) => name).toSorted();

    await node.vsctl('--no-wait', 'add-port', 'br0', 'other', '--', 'add-port', 'br0', 'later');
    await expect.poll(names).toEqual(['br0', 'later']);
    await further[Symbol.asyncDispose]();
    await node.vsctl(
      '--no-wait',
      'set',
      'interface',
      'later',
      'external_ids:a=b',
      '--',
      'set',
      'bridge',
      'br0',
      'external_ids:a=b',
    );
    await expect.poll(bridgeIds).toEqual(new Map([['a', 'b']]));

    expect([...further.cache.Interface.values()].map((row) => row.external_ids.size)).toEqual([0, 0]);
  });

  it('follows other rows when it is asked to: those that go are gone, those that come are there, the rest is as it was', async () => {
    const names = (): readonly string[] => [...further.cache.Interface.values()].map(({ name }) => name).toSorted();
    const seen: string[] = [];
    await node.vsctl(
      '--no-wait',
      '--may-exist',
      'add-port',
      'br0',
      'first',
      '--',
      '--may-exist',
      'add-port',
      'br0',
      'second',
    );
    await using further = ovsdb.monitor({ Interface: { name: 'string' } }, { where: named('br0', 'first') });
    await further.synchronized(soon());
    further.subscribe(({ rows }) => seen.push(...rows.map((row) => `${row.kind} ${nameOf(row)}`)));

    // One after the other without waiting: the last one counts.
    further.changeWhere(named('first'));
    further.changeWhere(named('br0', 'second'));
    await further.synchronized(soon());

    expect(names()).toEqual(['br0', 'second']);
    expect(seen.filter((text) => text.endsWith('second'))).toEqual(['inserted second']);
    expect(seen).toContain('deleted first');
  });

  it('says why further tables cannot be followed, without harm to the others', async () => {
    await using further = ovsdb.monitor(
      { Interface: { name: 'string' } },
      { where: { Interface: [['colour', '==', 'red']] } },
    );

    await expect(further.synchronized(soon())).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('colour'),
    });

    await node.vsctl('--no-wait', 'set', 'bridge', 'br0', 'external_ids:still=here');
    await expect.poll(() => bridgeIds()?.get('still')).toBe('here');
    expect(changes.every(({ state }) => state.kind === 'connected')).toBe(true);
  });

  it('reads a database of five thousand ports, and follows what changes in it', async () => {
    await ovsdb.transact(portInserts(5000));
    await using large = openOvsdb({
      target: parseRemote(`unix:${node.databaseSocket}`),
      database: 'Open_vSwitch',
      tables: {
        Port: { name: 'string', interfaces: 'references', external_ids: 'map' },
        Interface: { name: 'string', options: 'map' },
      },
    });
    await large.synchronized(soon());
    const before = new Map(large.cache.Port);

    await ovsdb.transact([
      { op: 'update', table: 'Port', where: [['name', '==', 'p4321']], row: { external_ids: new Map([['a', 'b']]) } },
    ]);
    await expect.poll(() => [...large.cache.Port.values()].filter((row) => row.external_ids.size > 0)).toHaveLength(1);

    const kept = [...large.cache.Port].filter(([uuid, row]) => before.get(uuid) === row);
    const numbers = new Set([...large.cache.Interface.values()].map(({ options }) => options.get('number')));
    expect([before.size - kept.length, numbers.size]).toEqual([1, 5001]);
  });

  function bridgeIds(): ReadonlyMap<string, string> | undefined {
    return [...ovsdb.cache.Bridge.values()][0]?.external_ids;
  }
});

function named(...names: readonly string[]) {
  return { Interface: names.map((name) => ['name', '==', name] as const) };
}

function nameOf(change: RowChange<{ readonly Interface: { readonly name: 'string' } }>): string {
  return change.kind === 'deleted' ? change.old.name : change.row.name;
}

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

function portInserts(count: number): readonly OvsdbOperation[] {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const rows = indexes.flatMap((index): OvsdbOperation[] => [
    {
      op: 'insert',
      table: 'Interface',
      row: { name: `p${index}`, options: new Map([['number', String(index)]]) },
      uuidName: `i${index}`,
    },
    {
      op: 'insert',
      table: 'Port',
      row: { name: `p${index}`, interfaces: namedReference(`i${index}`) },
      uuidName: `p${index}`,
    },
  ]);
  const ports = new Set(indexes.map((index) => namedReference(`p${index}`)));
  return [
    ...rows,
    { op: 'mutate', table: 'Bridge', where: [['name', '==', 'br0']], mutations: [['ports', 'insert', ports]] },
  ];
}

import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeAuthority, PASSWORD, startRedfish, system, USER, type TestAuthority } from '@smalt/bed-redfish';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPower, type PowerDeps } from './create-power.ts';
import type { PowerLevel } from './power-settings.ts';

const signal = new AbortController().signal;
const owned = new AsyncDisposableStack();
let authority: TestAuthority;
let directory: string;

beforeAll(async () => {
  authority = owned.use(await makeAuthority());
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-power-'))).path;
  await writeFile(join(directory, 'password'), `${PASSWORD}\n`);
});

afterAll(() => owned.disposeAsync());

describe('the power of a fleet', () => {
  it('switches a host off by its own controller and reads that back, each time by a session of another name', async () => {
    await using bmc = await startRedfish({ authority });
    await using power = createPower(deps([redfish(bmc.url)]));

    await power.powerOff('node1', 'bmc', signal);
    const first = await power.readPower('node1', 'bmc', signal);
    const second = await power.readPower('node1', 'bmc', signal);

    expect(power.methodsOf('node1')).toEqual(['bmc']);
    expect(first).toEqual({
      power: 'off',
      session: expect.stringMatching(/^bmc-/),
      message: `redfish ${bmc.url}/redfish/v1/Systems/1: off`,
      method: `redfish ${bmc.url}/redfish/v1/Systems/1`,
    });
    expect(second.session).not.toBe(first.session);
    expect(bmc.sessions.size).toBe(0);
  });

  it.each([
    { says: 'PoweringOff', power: 'unknown' },
    { says: 'PoweringOn', power: 'on' },
    { says: 'Paused', power: 'on' },
    { says: null, power: 'unknown' },
  ])('takes $says for $power', async ({ says, power: expected }) => {
    await using bmc = await startRedfish({
      authority,
      systems: [{ ...system('/redfish/v1/Systems/1', says), slowness: 9 }],
    });
    await using power = createPower(deps([redfish(bmc.url)]));

    expect((await power.readPower('node1', 'bmc', signal)).power).toBe(expected);
  });

  it('reads a password anew for each call', async () => {
    await using bmc = await startRedfish({ authority });
    const passwordFile = join(directory, 'changing');
    await using power = createPower(deps([{ ...redfish(bmc.url), passwordFile } as PowerLevel]));
    await writeFile(passwordFile, 'the-old-one');

    await expect(power.readPower('node1', 'bmc', signal)).rejects.toMatchObject({ code: 'unauthorized' });
    await writeFile(passwordFile, PASSWORD);

    await expect(power.readPower('node1', 'bmc', signal)).resolves.toMatchObject({ power: 'on' });
  });

  it('ends at its deadline when the controller hangs, and leaves no session behind', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.faults = { hangs: 'systems' };
    const power = createPower(deps([{ ...redfish(bmc.url), timeoutMs: 300 } as PowerLevel]));

    await expect(power.readPower('node1', 'bmc', signal)).rejects.toMatchObject({ code: 'timeout' });

    await power[Symbol.asyncDispose]();
    expect(bmc.sessions.size).toBe(0);
  });

  it('has nothing to take back where an order does not stand', async () => {
    await using bmc = await startRedfish({ authority });
    await using power = createPower(deps([redfish(bmc.url)]));
    await power.powerOff('node1', 'bmc', signal);

    await power.release?.('node1', signal);

    expect(await power.readPower('node1', 'bmc', signal)).toMatchObject({ power: 'off' });
  });

  it('leaves a switch alone that two hosts name, says which two, and uses it once one of them names its own', async () => {
    await using bmc = await startRedfish({ authority });
    await using own = await startRedfish({ authority });
    const level = { ...redfish(''), url: 'https://{address}', perHost: {} } as PowerLevel;
    const addresses = new Map([
      ['node1', new URL(bmc.url).host],
      ['node2', new URL(bmc.url).host],
    ]);
    const factsOf = (name: string) => ({ name, address: addresses.get(name), labels: {} });
    const fleet = () => [...addresses.keys()].map(factsOf);
    await using power = createPower({ ...deps([level]), facts: factsOf, fleet });

    await expect(power.powerOff('node1', 'bmc', signal)).rejects.toMatchObject(sharedSwitch('node1', 'node2'));
    await expect(power.readPower('node2', 'bmc', signal)).rejects.toMatchObject(sharedSwitch('node2', 'node1'));
    const told = await power.checkReachable('node1', signal);
    addresses.set('node2', new URL(own.url).host);
    await power.powerOff('node1', 'bmc', signal);

    expect(told).toMatchObject([{ isReachable: false, message: expect.stringContaining('node1 and node2') }]);
    expect((await power.readPower('node1', 'bmc', signal)).power).toBe('off');
    expect((await power.readPower('node2', 'bmc', signal)).power).toBe('on');
  });

  it('heeds the settings as they are now', async () => {
    await using bmc = await startRedfish({ authority });
    let levels: readonly PowerLevel[] = [redfish(bmc.url)];
    await using power = createPower({ ...deps([]), settings: () => ({ levels, cleanUp: [] }) });

    expect(power.methodsOf('node1')).toEqual(['bmc']);
    levels = [{ driver: 'person', name: 'person' }];

    expect(power.methodsOf('node1')).toEqual([]);
    await expect(power.powerOff('node1', 'bmc', signal)).rejects.toMatchObject({
      code: 'bad-setting',
      message: expect.stringContaining('node1 has no level bmc now'),
    });
  });

  it('stops with the reason of the caller', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.faults = { hangs: 'all' };
    await using power = createPower(deps([redfish(bmc.url)]));
    const reason = new Error('no longer the leader');

    await expect(power.readPower('node1', 'bmc', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('checkReachable', () => {
  it('tells of every way to a host how it answered', async () => {
    await using bmc = await startRedfish({ authority });
    await using dead = await startRedfish({ authority });
    await dead.goDown();
    const pdu: PowerLevel = { driver: 'command', name: 'pdu', command: ['/bin/echo', '{host}'] };
    await using power = createPower(deps([redfish(bmc.url), { ...redfish(dead.url), name: 'second' }, pdu]));

    const reports = await power.checkReachable('node1', signal);

    expect(reports).toMatchObject([
      { host: 'node1', method: 'bmc', power: 'on', isReachable: true },
      { method: 'second', power: 'unknown', isReachable: false, message: expect.stringContaining('ECONNREFUSED') },
      { method: 'pdu', power: 'unknown', isReachable: false, message: expect.stringContaining('stdout has to be') },
    ]);
    expect(JSON.stringify(reports)).not.toContain(PASSWORD);
  });

  it('notices a leaked session before the host dies', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.sessionLimit = 1;
    await using power = createPower(deps([redfish(bmc.url)]));

    for (let round = 0; round < 5; round++) {
      expect(await power.checkReachable('node1', signal)).toMatchObject([{ isReachable: true }]);
    }
  });
});

describe('cleanUp', () => {
  it('runs each program with the name of the host, whatever became of the one before', async () => {
    const file = join(directory, 'chassis');
    await writeFile(file, 'node1\nnode10\n');
    const cleanUp = [
      { name: 'broken', command: ['/bin/sh', '-c', 'echo no database >&2; exit 3', 'sh', '{host}'] },
      { name: 'chassis', command: ['/bin/sed', '-i', '/^{host}$/d', file] },
    ];
    await using power = createPower({ ...deps([]), settings: () => ({ levels: [], cleanUp }) });

    await expect(power.cleanUp('node1', signal)).rejects.toMatchObject({
      message: 'clean-up broken for node1: /bin/sh ended with 3: no database',
    });

    expect(await readFile(file, 'utf8')).toBe('node10\n');
  });

  it('kills a program that does not end', async () => {
    const cleanUp = [{ name: 'slow', command: ['/bin/sleep', '60'], timeoutMs: 200 }];
    await using power = createPower({ ...deps([]), settings: () => ({ levels: [], cleanUp }) });

    await expect(power.cleanUp('node1', signal)).rejects.toThrow('clean-up slow for node1: not within 200 ms');
  });

  it('does not run a program with a name that is no name', async () => {
    const cleanUp = [{ name: 'chassis', command: ['/bin/echo', '{host}'] }];
    await using power = createPower({ ...deps([]), settings: () => ({ levels: [], cleanUp }) });

    await expect(power.cleanUp('--all', signal)).rejects.toThrow('not known of the host');
  });
});

it('names the rival of a host only if no switch of it is its own', async () => {
  let levels = [strip('{address}')];
  const fleet = ['node1', 'node2'].map((name) => ({ name, address: '192.0.2.1', labels: {} }));
  const facts = (name: string) => fleet.find((each) => each.name === name);
  const around = { settings: () => ({ levels, cleanUp: [] }), facts, fleet: () => fleet };
  await using power = createPower({ ...deps([]), ...around });

  const before = power.rivalOf?.('node1');
  levels = [...levels, strip('{host}')];

  expect([before, power.rivalOf?.('node1'), power.rivalOf?.('node3')]).toEqual(['node2', undefined, undefined]);
});

function strip(outlet: string): PowerLevel {
  return { driver: 'command', name: outlet, command: ['/opt/pdu', outlet] };
}

function sharedSwitch(one: string, other: string) {
  const message = `${one} and ${other} name the same power switch, by level bmc of ${one}`;
  return { code: 'bad-setting', message: expect.stringContaining(message) };
}

function redfish(url: string): PowerLevel {
  return {
    driver: 'redfish',
    name: 'bmc',
    url: 'https://{host}.invalid',
    user: USER,
    passwordFile: join(directory, 'password'),
    authorityFile: authority.authorityFile,
    perHost: { node1: { url } },
  };
}

function deps(levels: readonly PowerLevel[]): PowerDeps {
  let id = 0;
  return {
    settings: () => ({ levels, cleanUp: [] }),
    facts: () => undefined,
    fleet: () => [],
    kube: undefined,
    clock: { now: () => performance.now() },
    newId: () => String(++id),
    ignore: () => undefined,
  };
}

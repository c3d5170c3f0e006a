import { startSystemd, type SystemdMachine } from '@smalt/bed-systemd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openSystemd } from './open-systemd.ts';
import type { Systemd, UnitChange, UnitState } from './systemd.ts';

const SLEEP = '[Service]\nExecStart=/bin/sleep 10000\nExecReload=/bin/sleep 10000\n';
const SLOW = '[Service]\nType=oneshot\nExecStart=/bin/sleep 10000\n';

const UNITS = {
  'active.service': SLEEP,
  'inactive.service': SLEEP,
  'failed.service': '[Service]\nType=oneshot\nExecStart=/bin/false\n',
  'activating.service': SLOW,
  'reloading.service': SLEEP,
  'masked.service': '',
  'broken.service': '[Service]\nType=nonsense\n',
  'job@.service': '[Service]\nType=oneshot\nExecStart=/bin/sh -c "exit %i"\n',
  'watched.service': SLEEP,
  'other.service': SLEEP,
  'slow.service': SLOW,
  'forged.service': SLEEP,
  'instant.target': '[Unit]\nDescription=Active as soon as it is loaded\n',
};

let machine: SystemdMachine;
let systemd: Systemd;

beforeAll(async () => {
  machine = await startSystemd({
    units: UNITS,
    hostname: 'node-7',
    etc: { 'os-release': 'ID=flatcar\nPRETTY_NAME="Flatcar Container Linux 4000.1.0"\nVERSION_ID=4000.1.0\n' },
  });
  systemd = await open(machine);
});

afterAll(async () => {
  await systemd[Symbol.asyncDispose]();
  await machine[Symbol.asyncDispose]();
});

describe('unitStates', () => {
  it('tells every kind of state, in the order asked for', async () => {
    await machine.systemctl(['start', 'active.service', 'reloading.service']);
    await machine.systemctl(['start', '--no-block', 'activating.service', 'failed.service']);
    await machine.systemctl(['reload', '--no-block', 'reloading.service']);
    await expect.poll(async () => stateOf('failed.service')).toBe('failed');
    await expect.poll(async () => stateOf('reloading.service')).toBe('reloading');

    const names = [
      'masked.service',
      'active.service',
      'inactive.service',
      'failed.service',
      'activating.service',
      'reloading.service',
      'absent.service',
      'job@0.service',
      'dbus-org.freedesktop.hostname1.service',
    ];
    const states = await systemd.unitStates(names, soon());

    expect(states).toEqual([
      state('masked.service', 'masked', 'inactive', 'dead'),
      state('active.service', 'loaded', 'active', 'running'),
      state('inactive.service', 'loaded', 'inactive', 'dead'),
      state('failed.service', 'loaded', 'failed', 'failed'),
      state('activating.service', 'loaded', 'activating', 'start'),
      state('reloading.service', 'loaded', 'reloading', 'reload'),
      state('absent.service', 'not-found', 'inactive', 'dead'),
      state('job@0.service', 'loaded', 'inactive', 'dead'),
      state('dbus-org.freedesktop.hostname1.service', 'loaded', 'inactive', 'dead'),
    ]);
  });

  it('asks for nothing when no unit is named', async () => {
    expect(await systemd.unitStates([], soon())).toEqual([]);
  });

  it('refuses what is not the name of a unit before it reaches the bus', async () => {
    const call = systemd.unitStates(['active.service', '../evil.service'], soon());

    await expect(call).rejects.toMatchObject({ code: 'invalid-argument', message: expect.stringContaining('evil') });
  });
});

describe('watchUnits', () => {
  it('tells of a change as it happens, and asking for states is no change', async () => {
    await using watch = await watching(['watched.service', 'other.service', 'absent.service']);

    for (let round = 0; round < 10; round += 1) {
      await systemd.unitStates(['watched.service', 'other.service', 'absent.service'], soon());
    }
    await machine.systemctl(['start', 'other.service']);
    const change = await watch.next();

    expect(change).toEqual({ kind: 'unit-changed', name: 'other.service' });
  });

  it('tells of a unit that is active as soon as systemd has loaded it', async () => {
    await using watch = await watching(['instant.target']);

    await machine.systemctl(['start', 'instant.target']);

    expect(await watch.next()).toEqual({ kind: 'unit-changed', name: 'instant.target' });
  });

  it('tells of a unit by the alias it was asked for', async () => {
    await machine.exec(['ln', '-s', 'inactive.service', '/etc/systemd/system/alias.service']);
    await machine.systemctl(['daemon-reload']);
    await using watch = await watching(['alias.service']);

    await machine.systemctl(['start', 'inactive.service']);

    expect(await watch.next()).toEqual({ kind: 'unit-changed', name: 'alias.service' });
    expect(await stateOf('alias.service')).toBe('active');
  });

  it('tells that any unit may have changed when systemd has read its files again', async () => {
    await using watch = await watching(['late.service']);
    await machine.writeUnit('late.service', SLEEP);

    await machine.systemctl(['daemon-reload']);
    const change = await watch.next();
    const [late] = await systemd.unitStates(['late.service'], soon());

    expect(change).toEqual({ kind: 'unit-changed' });
    expect(late).toEqual(state('late.service', 'loaded', 'inactive', 'dead'));
  });

  it('believes only systemd: a signal that somebody else sends us directly is no change', async () => {
    await using watch = await watching(['forged.service', 'watched.service']);
    const path = '/org/freedesktop/systemd1/unit/forged_2eservice';
    const signal = [path, 'org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as'];
    const names = (await machine.exec(['busctl', 'list', '--no-legend', '--unique'])).matchAll(/^:\S+/gm);

    for (const [name] of names) {
      await machine.exec([
        'busctl',
        'emit',
        `--destination=${name}`,
        ...signal,
        'org.freedesktop.systemd1.Unit',
        '0',
        '0',
      ]);
    }
    await machine.systemctl(['start', 'watched.service']);

    expect(await watch.next()).toEqual({ kind: 'unit-changed', name: 'watched.service' });
  });

  it('tells `resubscribed` when systemd itself was executed anew', async () => {
    await using watch = await watching(['watched.service']);

    await machine.systemctl(['daemon-reexec']);

    expect(await watch.until('resubscribed')).toEqual({ kind: 'resubscribed' });
  });

  it('ends when its signal fires', async () => {
    const controller = new AbortController();
    const seen = [];

    for await (const change of systemd.watchUnits(['watched.service'], controller.signal)) {
      seen.push(change.kind);
      controller.abort();
    }

    expect(seen).toEqual(['resubscribed']);
  });

  it('refuses names that are none, and more units than a bus lets one watch', () => {
    const many = Array.from({ length: 201 }, (_, index) => `unit${index}.service`);

    expect(() => systemd.watchUnits(['web'], soon())).toThrow(/is not the name of a unit/);
    expect(() => systemd.watchUnits(many, soon())).toThrow(/201 units cannot be watched/);
  });
});

describe('startUnit', () => {
  it.each([
    { name: 'job@0.service', result: 'done' },
    { name: 'job@1.service', result: 'failed' },
    { name: 'active.service', result: 'done' },
  ])('of $name ends with $result', async ({ name, result }) => {
    expect(await systemd.startUnit(name, soon())).toBe(result);
  });

  it('tells the jobs of several units apart', async () => {
    const results = await Promise.all(
      ['job@1.service', 'job@0.service', 'job@3.service'].map((name) => systemd.startUnit(name, soon())),
    );

    expect(results).toEqual(['failed', 'done', 'failed']);
  });

  it.each([
    { name: 'absent.service', code: 'no-such-unit' },
    { name: 'masked.service', code: 'refused' },
    { name: 'broken.service', code: 'refused' },
    { name: 'job@.service', code: 'invalid-argument' },
  ])('of $name fails with $code', async ({ name, code }) => {
    await expect(systemd.startUnit(name, soon())).rejects.toMatchObject({ code });
  });

  it('can be given up while the job goes on', async () => {
    const controller = new AbortController();
    const start = systemd.startUnit('slow.service', controller.signal);
    await expect.poll(async () => stateOf('slow.service')).toBe('activating');

    controller.abort();

    await expect(start).rejects.toMatchObject({ code: 'aborted' });
    expect(await stateOf('slow.service')).toBe('activating');
  });

  it('ends with `canceled` when somebody stops the unit meanwhile', async () => {
    await machine.systemctl(['stop', 'slow.service']);
    const start = systemd.startUnit('slow.service', soon());
    await expect.poll(async () => stateOf('slow.service')).toBe('activating');

    await machine.systemctl(['stop', 'slow.service']);

    expect(await start).toBe('canceled');
  });
});

describe('stopUnit', () => {
  it('ends a unit that is being started, and its start with it', async () => {
    const start = systemd.startUnit('slow.service', soon());
    await expect.poll(async () => stateOf('slow.service')).toBe('activating');

    const result = await systemd.stopUnit('slow.service', soon());

    expect([result, await start]).toEqual(['done', 'canceled']);
    expect(await stateOf('slow.service')).not.toBe('activating');
  });

  it('is done with a unit that does not run', async () => {
    expect(await systemd.stopUnit('inactive.service', soon())).toBe('done');
  });

  it.each([
    { name: 'absent.service', code: 'no-such-unit' },
    { name: '../evil.service', code: 'invalid-argument' },
  ])('of $name fails with $code', async ({ name, code }) => {
    await expect(systemd.stopUnit(name, soon())).rejects.toMatchObject({ code });
  });
});

describe('restartUnit', () => {
  it('has another process run afterwards', async () => {
    await machine.systemctl(['start', 'active.service']);
    const show = ['show', '-p', 'MainPID', 'active.service'];
    const before = await machine.systemctl(show);

    const result = await systemd.restartUnit('active.service', soon());

    expect(result).toBe('done');
    expect(await machine.systemctl(show)).not.toBe(before);
  });
});

describe('describeHost', () => {
  it('tells what hostnamed knows', async () => {
    const host = await systemd.describeHost(soon());

    expect(host).toMatchObject({
      hostname: 'node-7',
      kernelName: 'Linux',
      operatingSystemPrettyName: 'Flatcar Container Linux 4000.1.0',
    });
    expect(host.kernelRelease).toMatch(/^\d+\./);
  });
});

describe('openSystemd', () => {
  it('gives nothing where there is no bus', async () => {
    expect(await openSystemd({ busPath: `${machine.sharedDirectory}/none` })).toBeUndefined();
    expect(await openSystemd({ busPath: '/etc/passwd' })).toBeUndefined();
  });
});

async function open({ busPath, inhibitCommand }: SystemdMachine): Promise<Systemd> {
  const opened = await openSystemd({ busPath, inhibitCommand });
  if (!opened) throw new Error('The machine has no bus');
  return opened;
}

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

function state(name: string, loadState: string, activeState: string, subState: string): UnitState {
  return { name, loadState, activeState, subState };
}

async function stateOf(name: string): Promise<string | undefined> {
  return (await systemd.unitStates([name], soon()))[0]?.activeState;
}

interface Watching extends AsyncDisposable {
  next(): Promise<UnitChange | undefined>;
  until(kind: UnitChange['kind']): Promise<UnitChange | undefined>;
}

/** A watch that is in place already. */
async function watching(names: readonly string[]): Promise<Watching> {
  const controller = new AbortController();
  const changes = systemd.watchUnits(names, controller.signal)[Symbol.asyncIterator]();
  expect(await changes.next()).toEqual({ done: false, value: { kind: 'resubscribed' } });
  const next = async (): Promise<UnitChange | undefined> => {
    const { value } = await changes.next();
    return value as UnitChange | undefined;
  };
  const until = async (kind: UnitChange['kind']): Promise<UnitChange | undefined> => {
    for (let change = await next(); ; change = await next()) if (change?.kind === kind || !change) return change;
  };
  const dispose = async (): Promise<void> => {
    controller.abort();
    await changes.next();
  };
  return { next, until, [Symbol.asyncDispose]: dispose };
}

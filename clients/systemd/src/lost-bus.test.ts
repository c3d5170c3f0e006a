import { startSystemd, type SystemdMachine } from '@smalt/bed-systemd';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';

import { openSystemd } from './open-systemd.ts';
import type { Systemd } from './systemd.ts';

const CALL_TIMEOUT_MS = 1500;
const SLEEP = '[Service]\nExecStart=/bin/sleep 10000\n';
const SLOW = '[Service]\nType=oneshot\nExecStart=/bin/sleep 10000\n';

let machine: SystemdMachine;
let systemd: Systemd;

beforeAll(async () => {
  machine = await startSystemd({ units: { 'web.service': SLEEP, 'slow.service': SLOW } });
});

afterAll(async () => {
  await machine[Symbol.asyncDispose]();
});

beforeEach(async () => {
  const opened = await openSystemd({
    busPath: machine.busPath,
    inhibitCommand: machine.inhibitCommand,
    callTimeoutMs: CALL_TIMEOUT_MS,
    backOff: { initialMs: 20, maxMs: 100 },
  });
  if (!opened) throw new Error('The machine has no bus');
  systemd = opened;
});

afterEach(async () => {
  await systemd[Symbol.asyncDispose]();
});

describe('a bus that is restarted', () => {
  it('is found again: the watch says so and goes on, and calls go through', async () => {
    const changes = systemd.watchUnits(['web.service'], soon())[Symbol.asyncIterator]();
    const begun = await changes.next();

    await machine.systemctl(['restart', 'dbus.service']);
    const back = await changes.next();
    await machine.systemctl(['restart', 'web.service']);
    const change = await changes.next();
    const states = await systemd.unitStates(['web.service'], soon());

    expect([begun.value, back.value]).toEqual([{ kind: 'resubscribed' }, { kind: 'resubscribed' }]);
    expect(change.value).toEqual({ kind: 'unit-changed', name: 'web.service' });
    expect(states).toMatchObject([{ activeState: 'active' }]);
    await changes.return?.();
  });

  it('fails a start under way with `bus-lost`, because its end cannot be known', async () => {
    const failure = systemd.startUnit('slow.service', soon()).catch((error: unknown) => error);
    const show = ['show', '-p', 'ActiveState', 'slow.service'];
    await expect.poll(async () => machine.systemctl(show)).toMatch('activating');

    await machine.systemctl(['restart', 'dbus.service']);

    expect(await failure).toMatchObject({ code: 'bus-lost', message: expect.stringContaining('slow.service') });
    await machine.systemctl(['stop', 'slow.service']);
  });
});

describe('a bus that is there but silent', () => {
  it('fails calls within their time limit, and serves them when it speaks again', async () => {
    await systemd.unitStates(['web.service'], soon());
    await machine.systemctl(['kill', '--signal=STOP', 'dbus.service']);
    const begin = performance.now();

    const onOld = systemd.unitStates(['web.service'], soon());
    await expect(onOld).rejects.toMatchObject({ code: 'timeout' });
    const tookMs = performance.now() - begin;
    await using another = await openSystemd({ busPath: machine.busPath, callTimeoutMs: CALL_TIMEOUT_MS });
    await expect(another?.describeHost(soon())).rejects.toMatchObject({ code: 'timeout' });
    await machine.systemctl(['kill', '--signal=CONT', 'dbus.service']);

    expect(tookMs).toBeLessThan(CALL_TIMEOUT_MS + 2000);
    expect(await systemd.unitStates(['web.service'], soon())).toHaveLength(1);
    expect(await another?.describeHost(soon())).toMatchObject({ hostname: 'machine' });
  });
});

describe('a bus that is gone', () => {
  it('fails calls within their time limit, and is found again when it is back', async () => {
    await systemd.unitStates(['web.service'], soon());
    await machine.systemctl(['stop', 'dbus.socket', 'dbus.service']);
    const begin = performance.now();

    const call = systemd.unitStates(['web.service'], soon());
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^(?:no-bus|bus-lost)$/) });
    const tookMs = performance.now() - begin;
    await machine.systemctl(['start', 'dbus.socket', 'dbus.service']);

    expect(tookMs).toBeLessThan(CALL_TIMEOUT_MS + 2000);
    expect(await systemd.unitStates(['web.service'], soon())).toHaveLength(1);
  });
});

describe('a service that is restarted', () => {
  it('does not end the watch for a shutdown', async () => {
    const next = systemd.watchShutdown(soon())[Symbol.asyncIterator]().next();
    await machine.systemctl(['restart', 'systemd-logind.service']);
    await using lock = await systemd.delayShutdown({ who: 'test', why: 'Time to be told' }, soon());

    await machine.systemctl(['reboot']);

    expect(await next).toEqual({ done: false, value: true });
    await lock[Symbol.asyncDispose]();
    expect(await machine.ended).toBe('rebooted');
  });
});

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

import { readFile } from 'node:fs/promises';

import { startSystemd, type SystemdMachine } from '@smalt/bed-systemd';
import { describe, expect, it } from 'vitest';

import { openSystemd } from './open-systemd.ts';
import type { SystemdOptions } from './systemd-options.ts';
import type { Systemd } from './systemd.ts';

const REASON = { who: 'smalt node-agent', why: 'Move the guests elsewhere' };

describe('a shutdown', () => {
  it('is told, held back until the lock is released, and then carried out', async () => {
    await using machine = await startSystemd();
    await using systemd = await open(machine);
    const shutdowns = systemd.watchShutdown(soon())[Symbol.asyncIterator]();
    const first = shutdowns.next();
    const lock = await systemd.delayShutdown(REASON, soon());

    await machine.systemctl(['reboot']);
    const told = await first;
    const late = await systemd.watchShutdown(soon())[Symbol.asyncIterator]().next();
    const inhibitors = await listInhibitors(machine);
    await lock[Symbol.asyncDispose]();

    expect(told).toEqual({ done: false, value: true });
    expect(late).toEqual({ done: false, value: true });
    expect(inhibitors).toContain(REASON.who);
    expect(await machine.ended).toBe('rebooted');
  });

  it('is carried out when logind has waited long enough, lock or not', async () => {
    // Whoever holds the lock is not of the machine, and does not go when it is told to.
    const etc = { 'systemd/system.conf': '[Manager]\nDefaultTimeoutStopSec=1s\n' };
    await using machine = await startSystemd({ inhibitDelayMaxSeconds: 1, etc });
    await using systemd = await open(machine);
    await using lock = await systemd.delayShutdown(REASON, soon());

    await machine.systemctl(['poweroff']);

    expect(await machine.ended).toBe('powered-off');
    await lock.released;
  });
});

it('tells how long logind lets a shutdown be held back', async () => {
  await using machine = await startSystemd({ inhibitDelayMaxSeconds: 7 });
  await using systemd = await open(machine);

  expect(await systemd.shutdownDelayLimitMs(soon())).toBe(7_000);
});

describe('delayShutdown', () => {
  it('is listed with its reason, and gone when it is disposed of', async () => {
    await using machine = await startSystemd();
    await using systemd = await open(machine);

    const lock = await systemd.delayShutdown(REASON, soon());
    const held = await listInhibitors(machine);
    await lock[Symbol.asyncDispose]();
    await lock[Symbol.asyncDispose]();

    expect(held).toContain(`"shutdown:sleep" "${REASON.who}" "${REASON.why}" "delay"`);
    await expect.poll(async () => listInhibitors(machine)).not.toContain(REASON.who);
  });

  it('tells when the lock was lost', async () => {
    await using machine = await startSystemd();
    await using systemd = await open(machine);
    await using lock = await systemd.delayShutdown(REASON, soon());

    await machine.exec([
      'sh',
      '-c',
      'for each in /proc/[0-9]*; do grep -sqx systemd-inhibit $each/comm && kill ${each#/proc/}; done; true',
    ]);

    await lock.released;
    await expect.poll(async () => listInhibitors(machine)).not.toContain(REASON.who);
  });

  it('fails with what is missing where the program is not installed', async () => {
    await using machine = await startSystemd();
    await using systemd = await open(machine, { inhibitCommand: ['systemd-inhibit-of-mars'] });

    const lock = systemd.delayShutdown(REASON, soon());

    await expect(lock).rejects.toMatchObject({ code: 'missing-program', message: expect.stringContaining('of-mars') });
  });

  it('fails with the words of the program that could not take the lock', async () => {
    await using machine = await startSystemd();
    // Without a command of its own it runs outside the machine, where logind cannot see it.
    await using systemd = await open(machine, { inhibitCommand: undefined });

    const lock = systemd.delayShutdown(REASON, soon());

    await expect(lock).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('Failed to inhibit'),
    });
  });

  it('leaves no process behind when it is given up or takes too long', async () => {
    await using machine = await startSystemd();
    const pidFile = `${machine.sharedDirectory}/pid`;
    const command = ['sh', '-c', `echo $$ >${pidFile}; exec sleep 10000`] as const;
    await using systemd = await open(machine, { inhibitCommand: command, callTimeoutMs: 500 });

    const lock = systemd.delayShutdown(REASON, soon());

    await expect(lock).rejects.toMatchObject({ code: 'timeout' });
    const pid = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('refuses a reason that no command line can carry', async () => {
    await using machine = await startSystemd();
    await using systemd = await open(machine);

    const lock = systemd.delayShutdown({ who: 'a\0b', why: 'c' }, soon());

    await expect(lock).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});

async function open(machine: SystemdMachine, options: SystemdOptions = {}): Promise<Systemd> {
  const opened = await openSystemd({ busPath: machine.busPath, inhibitCommand: machine.inhibitCommand, ...options });
  if (!opened) throw new Error('The machine has no bus');
  return opened;
}

function soon(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

async function listInhibitors(machine: SystemdMachine): Promise<string> {
  const manager = ['org.freedesktop.login1', '/org/freedesktop/login1', 'org.freedesktop.login1.Manager'];
  return machine.exec(['busctl', 'call', ...manager, 'ListInhibitors']);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

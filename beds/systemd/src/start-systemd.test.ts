import { readFile } from 'node:fs/promises';

import { runProgram } from '@smalt/libvirt-daemon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startSystemd } from './start-systemd.ts';
import type { SystemdMachine } from './systemd-machine.ts';

describe('a machine', () => {
  let machine: SystemdMachine;

  beforeAll(async () => {
    machine = await startSystemd({
      hostname: 'node-7',
      units: {
        'web.service': '[Service]\nExecStart=/bin/sleep 10000\n',
        'touch.service': '[Service]\nType=oneshot\nExecStart=/bin/sh -c "echo done >/run/bed/touched"\n',
      },
      etc: { 'os-release': 'PRETTY_NAME="Test OS"\n', 'systemd/logind.conf': '[Login]\nInhibitDelayMaxSec=7\n' },
    });
  });

  afterAll(async () => {
    await machine[Symbol.asyncDispose]();
  });

  it('runs a real systemd as its first process, with a bus of its own', async () => {
    const first = await machine.exec(['cat', '/proc/1/comm']);
    const names = await machine.exec(['busctl', 'list', '--no-legend', '--acquired']);

    expect(first).toBe('systemd\n');
    expect(names).toContain('org.freedesktop.systemd1');
  });

  it('can be reached from outside by the socket of its bus', async () => {
    const hostnamed = ['org.freedesktop.hostname1', '/org/freedesktop/hostname1', 'org.freedesktop.hostname1'];
    const outside = await runProgram({ name: 'busctl', debianPackage: 'systemd' }, [
      `--address=unix:path=${machine.busPath}`,
      'get-property',
      ...hostnamed,
      'Hostname',
    ]);

    expect(outside.toString()).toBe('s "node-7"\n');
  });

  it('has the units and files that were asked for', async () => {
    await machine.systemctl(['start', 'web.service']);

    expect(await machine.systemctl(['is-active', 'web.service'])).toBe('active\n');
    expect(await machine.exec(['cat', '/etc/os-release'])).toBe('PRETTY_NAME="Test OS"\n');
    expect(await machine.exec(['cat', '/etc/systemd/logind.conf'])).toContain('=7');
  });

  it('shares a directory with the test', async () => {
    await machine.systemctl(['start', 'touch.service']);

    expect(await readFile(`${machine.sharedDirectory}/touched`, 'utf8')).toBe('done\n');
  });

  it('takes units that are written later', async () => {
    await machine.writeUnit('late.service', '[Service]\nExecStart=/bin/sleep 10000\n');
    await machine.systemctl(['daemon-reload']);

    await machine.systemctl(['start', 'late.service']);

    expect(await machine.systemctl(['is-active', 'late.service'])).toBe('active\n');
    await expect(machine.writeUnit('../late.service', '')).rejects.toThrow(/is not a unit name/);
  });

  it.each([
    { what: 'settings of the kernel', path: '/proc/sys/kernel/domainname' },
    { what: 'devices', path: '/sys/kernel/uevent_seqnum' },
    { what: 'programs', path: '/usr/bin/true' },
  ])('cannot change the $what of this machine', async ({ path }) => {
    await expect(machine.exec(['sh', '-c', `echo x >${path}`])).rejects.toThrow(/Read-only file system/);
  });

  it('fails with the words of a program that fails inside', async () => {
    await expect(machine.systemctl(['start', 'absent.service'])).rejects.toThrow(/absent.service not found/);
  });
});

describe('the end of a machine', () => {
  it.each([
    { verb: 'reboot', end: 'rebooted' },
    { verb: 'poweroff', end: 'powered-off' },
  ])('by $verb is told as $end', async ({ verb, end }) => {
    await using machine = await startSystemd();

    await machine.systemctl([verb]);

    expect(await machine.ended).toBe(end);
    await expect(machine.systemctl(['status'])).rejects.toMatchObject({ code: 'ended' });
  });

  it('by a loss of power is told as killed', async () => {
    await using machine = await startSystemd();

    await machine.kill();

    expect(await machine.ended).toBe('killed');
  });
});

describe('startSystemd', () => {
  it.each([
    { options: { units: { '../x.service': '' } }, message: /^units: "\.\.\/x\.service" is not a unit name/ },
    { options: { units: { web: '' } }, message: /^units: "web"/ },
    { options: { etc: { '../shadow': '' } }, message: /^etc: "\.\.\/shadow" is not a path below/ },
    { options: { etc: { '/etc/x': '' } }, message: /^etc:/ },
    { options: { hostname: '-x' }, message: /^hostname: "-x"/ },
    { options: { inhibitDelayMaxSeconds: 0 }, message: /^inhibitDelayMaxSeconds: 0/ },
  ])('refuses $options', async ({ options, message }) => {
    await expect(startSystemd(options)).rejects.toThrow(message);
  });

  it('gives up when its signal fires', async () => {
    const start = startSystemd({ signal: AbortSignal.abort() });

    await expect(start).rejects.toMatchObject({ code: 'aborted' });
  });
});

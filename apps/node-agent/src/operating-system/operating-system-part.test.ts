import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { release, tmpdir, type, version } from 'node:os';
import { dirname, join } from 'node:path';

import { startSystemd } from '@smalt/bed-systemd';
import type { OperatingSystemStatus } from '@smalt/fleet-api';
import { createLogger } from '@smalt/service-runtime';
import { openSystemd } from '@smalt/systemd';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { StatusBoard } from '../status/status-board.ts';
import { createOperatingSystemPart, type OperatingSystemSettings } from './operating-system-part.ts';

const kernel = { kernelName: type(), kernelRelease: release(), kernelVersion: version() };

describe('the operating system of a host', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'operating-system-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('is told by its files where there is no bus', async () => {
    await put('etc/os-release', 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\n');
    await put('proc/cmdline', 'root=/dev/sda1 quiet\n');
    await put('sys/class/dmi/id/sys_vendor', 'HPE\n');
    await put('sys/class/dmi/id/product_name', 'ProLiant DL560 Gen11\n');
    await put('sys/class/dmi/id/product_serial', 'CZ1234\n');
    await put('sys/class/dmi/id/bios_vendor', 'HPE\n');
    await put('sys/class/dmi/id/bios_version', 'U59\n');
    await put('sys/class/dmi/id/bios_date', '04/01/2024\n');
    await using world = startPart({ root, systemd: undefined });

    expect(await world.statedFirst()).toEqual({
      ...kernel,
      prettyVersion: 'Debian GNU/Linux 12 (bookworm)',
      version: '12',
      kernelCommandLine: 'root=/dev/sda1 quiet',
      hardwareVendor: 'HPE',
      hardwareModel: 'ProLiant DL560 Gen11',
      hardwareSerial: 'CZ1234',
      firmwareVendor: 'HPE',
      firmwareVersion: 'U59',
      firmwareDate: '2024-04-01T00:00:00Z',
    });
    expect(world.ignored).toEqual([]);
  });

  it('has a model also where the firmware has no tables', async () => {
    await put('sys/firmware/devicetree/base/model', 'Ampere Altra\0');
    await using world = startPart({ root, systemd: undefined });

    expect(await world.statedFirst()).toEqual({ ...kernel, hardwareModel: 'Ampere Altra' });
  });

  it('loses only the field whose file cannot be read', async () => {
    await put('usr/lib/os-release', 'VERSION_ID=12\n');
    await put('proc/cmdline/is-a-directory', '');
    await using world = startPart({ root, systemd: undefined });

    expect(await world.statedFirst()).toEqual({ ...kernel, version: '12' });
    expect(world.ignored).toEqual(['a file of the host cannot be read: its fields are left out']);
  });

  it('is told anew after an update in place', async () => {
    await put('etc/os-release', 'GARDENLINUX_VERSION=1877.0\n');
    await using world = startPart({ root, systemd: undefined, refreshMs: 5 });
    const before = await world.statedFirst();

    await put('etc/os-release.new', 'GARDENLINUX_VERSION=1933.0\n');
    await rename(join(root, 'etc/os-release.new'), join(root, 'etc/os-release'));
    const after = await world.statedOnce((status) => status.version === '1933.0');

    expect([before.version, after.version]).toEqual(['1877.0', '1933.0']);
    await world.loggedOnce(/the operating system changed/);
  });

  it('is told by hostnamed where there is one, and by files for what it leaves out', async () => {
    await put('etc/os-release', 'VERSION_ID=12\n');
    await put('sys/class/dmi/id/product_serial', 'CZ1234\n');
    await using machine = await startSystemd({ etc: { 'os-release': 'PRETTY_NAME="Machine OS 1"\n' } });
    const systemd = await openSystemd({ busPath: machine.busPath });
    await using world = startPart({ root, systemd });

    expect(await world.statedFirst()).toMatchObject({
      ...kernel,
      version: '12',
      prettyVersion: 'Machine OS 1',
      hardwareSerial: 'CZ1234',
    });
    expect(world.ignored).toEqual([]);
    await systemd?.[Symbol.asyncDispose]();
  });

  it('is told by files while the bus does not answer', async () => {
    await put('etc/os-release', 'VERSION_ID=12\n');
    const busPath = join(root, 'bus');
    const server = createServer((socket) => socket.destroy()).listen(busPath);
    await new Promise((resolve) => void server.once('listening', resolve));
    const systemd = await openSystemd({ busPath, callTimeoutMs: 500 });
    await using world = startPart({ root, systemd });

    expect(await world.statedFirst()).toEqual({ ...kernel, version: '12' });
    expect(world.ignored).toEqual(['hostnamed does not answer: firmware and kernel are asked']);
    await systemd?.[Symbol.asyncDispose]();
    server.close();
  });

  it('is not told any more once the signal has fired', async () => {
    await using world = startPart({ root, systemd: undefined, signal: AbortSignal.abort() });

    await world.ended;

    expect(world.stated).toEqual([]);
  });

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
});

interface PartWorld extends AsyncDisposable {
  readonly stated: readonly OperatingSystemStatus[];
  readonly ignored: readonly string[];
  readonly ended: Promise<void>;
  statedFirst(): Promise<OperatingSystemStatus>;
  statedOnce(isIt: (status: OperatingSystemStatus) => boolean): Promise<OperatingSystemStatus>;
  loggedOnce(line: RegExp): Promise<void>;
}

function startPart({ signal, ...settings }: OperatingSystemSettings & { readonly signal?: AbortSignal }): PartWorld {
  const stated: OperatingSystemStatus[] = [];
  const ignored: string[] = [];
  const lines: string[] = [];
  const happened = new EventTarget();
  const tell = (): boolean => happened.dispatchEvent(new Event('happened'));
  const board: StatusBoard = {
    state: (_, { fields }) => {
      if (fields?.operatingSystem) stated.push(fields.operatingSystem);
      tell();
    },
  };
  const write = (line: string): void => {
    lines.push(line);
    tell();
  };
  const logger = createLogger({ name: 'test', destination: { write } });
  const stop = new AbortController();
  const part = createOperatingSystemPart({ board, logger, ignore: (_, why) => ignored.push(why) }, settings);
  const ended = part.run(AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]));

  async function once<Found>(find: () => Found | undefined): Promise<Found> {
    for (let found = find(); ; found = find()) {
      if (found !== undefined) return found;
      await new Promise((resolve) => happened.addEventListener('happened', resolve, { once: true }));
    }
  }

  return {
    stated,
    ignored,
    ended,
    statedFirst: () => once(() => stated[0]),
    statedOnce: (isIt) => once(() => stated.find(isIt)),
    loggedOnce: async (line) => void (await once(() => lines.find((candidate) => line.test(candidate)))),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { minimalSettings } from '../fixtures/minimal-settings.ts';
import { systemServiceClock } from '../start/system-service-clock.ts';
import { SettingsFile } from './settings-file.ts';

let owned: AsyncDisposableStack;
let directory: string;
let log: string[];

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-settings-'))).path;
  log = [];
});

afterEach(() => owned.disposeAsync());

describe('the settings of a file', () => {
  it('are read at the start, where what is wrong has the name of the file', async () => {
    await write('config.yaml', { log: { level: 'loud' } });

    await expect(SettingsFile.open(join(directory, 'config.yaml'))).rejects.toThrow(
      `${directory}/config.yaml: log.level: "loud" must be one of debug`,
    );
    await expect(SettingsFile.open(join(directory, 'none.yaml'))).rejects.toMatchObject({ code: 'unreadable-file' });
  });

  it('follow the file, but not while it is wrong', async () => {
    await write('config.yaml', {});
    const file = await follow('config.yaml');

    await write('config.yaml', { log: { level: 'debug' }, listen: ':1' });
    await expect.poll(() => file.current.log.level).toBe('debug');
    expect(file).toMatchObject({ trouble: undefined, waitsForRestart: ['listen'], current: { listen: ':8443' } });

    await write('config.yaml', { log: { level: 'loud' } });
    await expect.poll(() => file.trouble).toContain('log.level: "loud" must be one of');
    expect(file.current.log.level).toBe('debug');
    expect(log.join('')).toContain('the configuration is wrong; what was right before stays');

    await write('config.yaml', { log: { level: 'warn' } });
    await expect.poll(() => file.current.log.level).toBe('warn');
    expect(file).toMatchObject({ trouble: undefined, waitsForRestart: [] });
  });

  it('are right again when the file goes back to what it was', async () => {
    await write('config.yaml', {});
    const file = await follow('config.yaml');
    await write('config.yaml', { log: { level: 'loud' } });
    await expect.poll(() => file.trouble).toBeDefined();

    await write('config.yaml', {});

    await expect.poll(() => file.trouble).toBeUndefined();
  });

  it('follow a ConfigMap, whose directory is swapped by a link', async () => {
    await makeVersion('v1', 'info');
    await symlink('v1', join(directory, '..data'));
    await symlink('..data/config.yaml', join(directory, 'config.yaml'));
    const file = await follow('config.yaml');

    await makeVersion('v2', 'error');
    await symlink('v2', join(directory, '..data_tmp'));
    await rename(join(directory, '..data_tmp'), join(directory, '..data'));

    await expect.poll(() => file.current.log.level).toBe('error');
  });
});

async function makeVersion(name: string, level: string): Promise<void> {
  await mkdir(join(directory, name));
  await write(`${name}/config.yaml`, { log: { level } });
}

async function write(name: string, change: Readonly<Record<string, unknown>>): Promise<void> {
  await writeFile(join(directory, name), stringify({ ...minimalSettings(), ...change }));
}

async function follow(name: string): Promise<SettingsFile> {
  const file = await SettingsFile.open(join(directory, name));
  const logger = createLogger({ name: 'test', destination: { write: (line) => log.push(line) } });
  const stop = new AbortController();
  const deps = {
    clock: systemServiceClock(),
    logger,
    ignore: createIgnore(new MetricsRegistry(), logger),
    onChange: () => undefined,
  };
  const ended = file.follow(deps, stop.signal);
  owned.defer(async () => {
    stop.abort();
    await ended;
  });
  return file;
}

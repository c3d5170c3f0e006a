import { EventEmitter } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openHaStore, settingLines, type DurableHaStore } from '@smalt/ha-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { haServiceCommand } from './ha-service-command.ts';

const { signal } = new AbortController();
const owned = new AsyncDisposableStack();
let directory: string;

beforeAll(async () => {
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-command-'))).path;
});

afterAll(() => owned.disposeAsync());

describe('smalt ha-service', () => {
  it('prints every setting', async () => {
    const program = fakeProgram(['--help']);

    expect(await haServiceCommand(program.context)).toBe(0);
    const text = program.output.join('');
    expect(settingLines().length).toBeGreaterThan(80);
    for (const { path } of settingLines()) expect(text).toContain(`  ${path}\n`);
  });

  it.each([
    { words: [], message: 'there is no configuration: give --config FILE' },
    { words: ['--config'], message: 'there is no configuration' },
    { words: ['--listen=:1'], message: 'unknown flag --listen=:1: everything but --config' },
    { words: ['--config=/nowhere'], message: '/nowhere cannot be read' },
    { words: ['--config=/nowhere', '--backup-to=/copy'], message: '/nowhere cannot be read' },
  ])('refuses $words in one sentence', async ({ words, message }) => {
    await expect(haServiceCommand(fakeProgram(words).context)).rejects.toThrow(message);
  });

  it('names every field that is wrong, with the file', async () => {
    const path = await config('wrong.yaml', 'listen: here\nlog: {level: loud}\n');

    const running = haServiceCommand(fakeProgram(['--check-config', '--config', path]).context);

    await expect(running).rejects.toThrow(`${path}: listen: "here" must be an address and a port`);
    await expect(running).rejects.toThrow(`${path}: log.level: "loud" must be one of`);
    await expect(running).rejects.toThrow(`${path}: tls: is missing`);
  });

  it('names every file that is of no use', async () => {
    const path = await config('files.yaml', SETTINGS);
    const program = fakeProgram(['--check-config'], { SMALT_HA_SERVICE_CONFIG: path });

    expect(await haServiceCommand(program.context)).toBe(1);
    const told = program.errors.join('');
    expect(told).toContain(`${path}: tls: /none/tls.crt cannot be read`);
    expect(told).toContain(`${path}: webhooks[0].secretFile: `);
    expect(told).toContain(`${path}: fencing.levels[0].passwordFile`);
  });
});

describe('smalt ha-service --backup-to', () => {
  it('copies the store of a service that takes batches', async () => {
    const [from, to] = [join(directory, 'ha.sqlite'), join(directory, 'copy.sqlite')];
    const path = await config('backup.yaml', SETTINGS.replace('/none/ha.sqlite', from));
    await using store = await open(from);
    await accept(store, 1);
    const done = new AbortController();
    const writes = (async () => {
      for (let number = 2; !done.signal.aborted; number++) await accept(store, number);
    })();

    const program = fakeProgram(['--config', path, '--backup-to', to]);
    const code = await haServiceCommand(program.context);
    done.abort();
    await writes;

    expect([code, program.output.join('')]).toEqual([0, `the store is in ${to}\n`]);
    await using copy = await open(to);
    const numbers = (await copy.telemetry.events(undefined, 1e6, signal)).map(({ event }) =>
      event.kind === 'lifecycle' ? event.detail : '',
    );
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers).toEqual(numbers.map((_, index) => `n${index + 1}`));
  });

  it.each([
    { store: '{ kind: postgres, urlFile: /none/url }', to: 'copy', message: 'use pg_dump' },
    {
      store: '{ kind: sqlite, path: /none/ha.sqlite }',
      to: 'copy',
      message: 'store.path: /none/ha.sqlite cannot be used',
    },
    { store: '{ kind: sqlite, path: DIRECTORY/own }', to: 'own', message: 'is the store itself' },
    { store: '{ kind: sqlite, path: DIRECTORY/own }', to: 'none/copy', message: 'the directory of the copy' },
    { store: '{ kind: sqlite, path: DIRECTORY/own }', to: '', message: '--backup-to needs the path of a file' },
  ])('refuses $to of $store: $message', async ({ store, to, message }) => {
    await writeFile(join(directory, 'own'), '');
    const text = SETTINGS.replace('{ kind: sqlite, path: /none/ha.sqlite }', store.replace('DIRECTORY', directory));
    const path = await config('refused.yaml', text);
    const place = to === '' ? '' : join(directory, to);

    const running = haServiceCommand(fakeProgram(['--config', path, `--backup-to=${place}`]).context);

    await expect(running).rejects.toThrow(message);
  });
});

const SETTINGS = `
tls: { certificateFile: /none/tls.crt, keyFile: /none/tls.key }
store: { kind: sqlite, path: /none/ha.sqlite }
fencing:
  levels: [{ name: bmc, driver: redfish, url: 'https://{host}.example', user: a, passwordFile: /none/password }]
webhooks: [{ name: a, url: 'https://a.example', secretFile: /none/secret }]
`;

function open(path: string): Promise<DurableHaStore> {
  return openHaStore({ location: { kind: 'sqlite', path }, clock: { now: Date.now }, ignore: () => undefined }, signal);
}

async function accept(store: DurableHaStore, sequence: number): Promise<void> {
  const domain = { uuid: '6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e', name: 'web' };
  const time = '2026-01-02T03:04:05.678Z';
  const record = { sequence, kind: 'lifecycle', domain, event: 'stopped', detail: `n${sequence}`, time } as const;
  const numbers = { firstSequence: sequence, lastSequence: sequence };
  const batch = { version: 1, node: 'n1', epoch: 'e1', agent: 'a1', ...numbers, records: [record] } as const;
  await store.telemetry.accept({ batch, arrivedAt: Date.now() }, signal);
}

async function config(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

function fakeProgram(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const output: string[] = [];
  const errors: string[] = [];
  const context: CommandContext = {
    arguments: words,
    environment,
    process: Object.assign(new EventEmitter(), { exit: () => undefined }),
    output: { write: (text) => output.push(text) },
    errors: { write: (text) => errors.push(text) },
  };
  return { context, output, errors };
}

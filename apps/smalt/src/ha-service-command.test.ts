import { EventEmitter } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { settingLines } from '@smalt/ha-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { haServiceCommand } from './ha-service-command.ts';

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

const SETTINGS = `
tls: { certificateFile: /none/tls.crt, keyFile: /none/tls.key }
store: { kind: sqlite, path: /none/ha.sqlite }
fencing:
  levels: [{ name: bmc, driver: redfish, url: 'https://{host}.example', user: a, passwordFile: /none/password }]
webhooks: [{ name: a, url: 'https://a.example', secretFile: /none/secret }]
`;

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

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isConfigError, loadConfig, redactConfig, type ConfigSources } from './index.ts';

const schema = {
  type: 'object',
  description: 'Serves the API.',
  required: ['dataDirectory', 'listen'],
  properties: {
    dataDirectory: { type: 'string', description: 'where everything is kept', minLength: 1 },
    listen: {
      type: 'object',
      required: ['host', 'port'],
      properties: {
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'integer', default: 6443, minimum: 0, maximum: 65_535 },
      },
    },
    logLevel: { type: 'string', enum: ['debug', 'info'], default: 'info' },
    audit: { type: 'boolean', default: true },
    names: { type: 'array', items: { type: 'string', pattern: '^[a-z.]+$' }, default: [], maxItems: 3 },
    token: { type: 'string', writeOnly: true, minLength: 8 },
    ratio: { type: 'number' },
  },
} as const;

describe('loadConfig', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'config-'));
  });

  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  it('prefers flags to variables, variables to the file, and the file to defaults', async () => {
    const path = join(directory, 'all.yaml');
    await writeFile(path, 'dataDirectory: /file\nlisten:\n  host: file\n  port: 1\nratio: 0.5\n');

    const loaded = await loadConfig(schema, {
      ...sources(['--config', path, '--data-directory=/flag', '--names', 'a.b', '--names', 'c,d']),
      environment: { APP_DATA_DIRECTORY: '/variable', APP_LISTEN_PORT: '2', APP_AUDIT: 'false', HOME: '/root' },
    });

    expect(loaded).toEqual({
      kind: 'config',
      config: {
        dataDirectory: '/flag',
        listen: { host: 'file', port: 2 },
        logLevel: 'info',
        audit: false,
        names: ['a.b', 'c', 'd'],
        ratio: 0.5,
      },
    });
  });

  it('takes the path of the file from the environment too', async () => {
    const path = join(directory, 'named.yaml');
    await writeFile(path, '{"dataDirectory": "/json"}');

    const loaded = await loadConfig(schema, { ...sources([]), environment: { APP_CONFIG: path } });

    expect(loaded).toMatchObject({ config: { dataDirectory: '/json' } });
  });

  it('reads switches, also the negated ones', async () => {
    const loaded = await loadConfig(schema, sources(['--data-directory', '/d', '--no-audit']));

    expect(loaded).toMatchObject({ config: { audit: false } });
  });

  it.each([
    { words: ['--data-dir', '/d'], message: 'unknown flag --data-dir' },
    { words: ['--listen-prot', '1'], message: 'unknown flag --listen-prot; did you mean "--listen-port"?' },
    { words: ['stray'], message: 'unexpected argument "stray"' },
    { words: ['--data-directory'], message: '--data-directory needs a value' },
    { words: ['--no-audit=true'], message: '--no-audit takes no value' },
    {
      words: [],
      message: 'dataDirectory is required: give --data-directory, APP_DATA_DIRECTORY or "dataDirectory" in',
    },
    { words: ['--data-directory', ''], message: '--data-directory must not be empty' },
    { words: ['--listen-port', '70000'], message: '--listen-port must be at most 65535, not 70000' },
    { words: ['--listen-port', '1.5'], message: '--listen-port must be a whole number, not "1.5"' },
    { words: ['--audit=maybe'], message: '--audit must be true or false, not "maybe"' },
    { words: ['--log-level', 'loud'], message: '--log-level must be one of debug, info, not "loud"' },
    { words: ['--names', 'A'], message: '--names[0] must match ^[a-z.]+$, not "A"' },
    { words: ['--names', 'a,b,c,d'], message: '--names must have at most 3 items' },
  ])('refuses $words and says why', async ({ words, message }) => {
    await expect(loadConfig(schema, sources(words))).rejects.toThrow(message);
  });

  it.each([
    { text: 'dataDirectroy: /d', message: 'unknown key "dataDirectroy"; did you mean "dataDirectory"?' },
    { text: 'listen: {prot: 1}', message: 'unknown key "listen.prot"; did you mean "port"?' },
    { text: 'constructor: {}', message: 'unknown key "constructor"' },
    { text: 'listen: {port: "1"}', message: 'listen.port must be a whole number, not "1"' },
    { text: 'names: a', message: 'names must be a list' },
    { text: 'listen: []', message: 'listen must be a mapping' },
    { text: '- 1', message: 'the file must be a mapping' },
    { text: 'a: [', message: 'is not YAML' },
    { text: 'audit: true\naudit: false', message: 'is not YAML' },
  ])('refuses the file $text and says why', async ({ text, message }) => {
    const path = join(directory, 'wrong.yaml');
    await writeFile(path, text);

    await expect(loadConfig(schema, sources(['--config', path]))).rejects.toThrow(message);
  });

  it('refuses a variable with its prefix that it does not know', async () => {
    const loading = loadConfig(schema, { ...sources([]), environment: { APP_LISTEN_HOTS: 'x' } });

    await expect(loading).rejects.toThrow(
      'unknown environment variable APP_LISTEN_HOTS; did you mean "APP_LISTEN_HOST"?',
    );
  });

  it('says that a file cannot be read', async () => {
    const failure: unknown = await loadConfig(schema, sources(['--config', '/missing.yaml'])).catch(
      (error: unknown) => error,
    );

    expect(failure).toMatchObject({ code: 'unreadable-config' });
    expect(isConfigError(failure)).toBe(true);
  });

  it('never shows a secret, neither in an error nor in the help', async () => {
    const failure: unknown = await loadConfig(schema, sources(['--token', 'short'])).catch((error: unknown) => error);
    const config = { dataDirectory: '/d', token: 'long enough', listen: { port: 1 }, stray: 'x' };

    expect(String(failure)).toBe('ServiceError: --token must have at least 8 characters');
    expect(redactConfig(schema, config)).toEqual({
      dataDirectory: '/d',
      token: '[redacted]',
      listen: { port: 1 },
      stray: '[redacted]',
    });
  });

  it('explains every flag when asked for help, whatever else stands there', async () => {
    const loaded = await loadConfig(schema, sources(['--help', '--nonsense']));

    expect(loaded.kind === 'help' ? loaded.text : '').toBe(`Usage: app [flags]

Serves the API.

Flags:
  --data-directory STRING  where everything is kept (required; APP_DATA_DIRECTORY)
  --listen-host STRING     (default 127.0.0.1; APP_LISTEN_HOST)
  --listen-port INTEGER    (default 6443; APP_LISTEN_PORT)
  --log-level debug|info   (default info; APP_LOG_LEVEL)
  --audit                  (default true; APP_AUDIT)
  --names STRING,…         (APP_NAMES)
  --token STRING           (APP_TOKEN)
  --ratio NUMBER           (APP_RATIO)
  --config FILE            a YAML file with the same settings; flags and variables win over it
  --help                   print this text
`);
  });
});

function sources(words: readonly string[]): ConfigSources {
  return { programName: 'app', arguments: words, environment: {}, environmentPrefix: 'APP_' };
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { findPostgres } from './find-postgres.ts';
import { giveToServerAccount, runAsServerAccount } from './server-account.ts';
import { openServerDirectory, type ServerDirectory } from './server-directory.ts';
import { ServerProcess } from './server-process.ts';

const LOOPBACK = '127.0.0.1';
const USER = 'smalt';
const DATABASE = 'postgres';

export interface PostgresOptions {
  /** Settings of the server by name; what is committed outlives a loss of power unless they say otherwise. */
  readonly settings?: Readonly<Record<string, string>>;
  /** An address that others reach it by, beside loopback; its URL has it then. */
  readonly address?: string;
  /** PEM texts. With them it is reached by TLS and in no other way. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** A PostgreSQL of its own, with a user who may do everything. It ends with the process that started it. */
export interface PostgresBed extends AsyncDisposable {
  /** Of the database, with the user's password. The port stays the same over restarts. */
  readonly url: string;
  readonly pid: number;
  readonly isRunning: boolean;
  /** Ends all its processes at once, as a loss of power does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Starts it again, after it was stopped or killed; stops it first if it runs. */
  restart(): Promise<void>;
}

/** Starts a fresh PostgreSQL on a port of loopback, and of an address where one is given. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresBed> {
  const { settings = {}, address = LOOPBACK, tls } = options;
  const programs = await findPostgres();
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await openServerDirectory());
  const password = randomBytes(12).toString('hex');
  await initialize(programs, directory, password);
  const port = await freePort();
  const encryption = tls === undefined ? {} : await encrypt(directory, tls);
  const given = Object.entries({ ...settings, ...encryption }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const data = join(directory.path, 'data');
  if (address !== LOOPBACK) await appendFile(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  const addresses = [...new Set([LOOPBACK, address])].join(',');
  const place = ['-D', data, '-k', data, '-h', addresses, '-p', String(port)];
  const command = [`${programs}/postgres`, ...place, '-c', 'max_connections=60', '-c', 'shared_buffers=32MB', ...given];
  const start = (): Promise<ServerProcess> => ServerProcess.start(command, join(directory.path, 'log'));
  const bed = new RunningPostgres(
    start,
    await start(),
    `postgres://${USER}:${password}@${address}:${port}/${DATABASE}`,
  );
  bed.owns(stack.move());
  return bed;
}

class RunningPostgres implements PostgresBed {
  readonly url: string;
  readonly #start: () => Promise<ServerProcess>;
  #server: ServerProcess;
  #restarting: Promise<void> | undefined;
  #files: AsyncDisposable | undefined;

  constructor(start: () => Promise<ServerProcess>, server: ServerProcess, url: string) {
    this.url = url;
    this.#start = start;
    this.#server = server;
  }

  get pid(): number {
    return this.#server.pid;
  }

  get isRunning(): boolean {
    return this.#server.isRunning;
  }

  owns(files: AsyncDisposable): void {
    this.#files = files;
  }

  async kill(): Promise<void> {
    await this.#server.kill();
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  restart(): Promise<void> {
    this.#restarting = this.#startAgain();
    return this.#restarting;
  }

  async #startAgain(): Promise<void> {
    await this.stop();
    this.#server = await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nobody would end a server that is still on its way; whoever asked for it hears why it failed.
    await this.#restarting?.catch(() => undefined);
    await this.kill();
    await this.#files?.[Symbol.asyncDispose]();
  }
}

async function initialize(programs: string, directory: ServerDirectory, password: string): Promise<void> {
  const data = join(directory.path, 'data');
  await mkdir(data, { mode: 0o700 });
  const passwordFile = join(directory.path, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  for (const path of [directory.path, data, passwordFile]) await giveToServerAccount(path);
  const ways = ['--auth-host=scram-sha-256', '--auth-local=reject', `--pwfile=${passwordFile}`];
  // The files need not be safe before anything is in them.
  const options = ['--username', USER, '--encoding=UTF8', '--locale=C', '--no-sync', ...ways];
  await runAsServerAccount([`${programs}/initdb`, '-D', data, ...options]);
}

/** Lets nobody in who speaks in the clear; the settings by which the server finds its certificate. */
async function encrypt(
  directory: ServerDirectory,
  { certificate, key }: NonNullable<PostgresOptions['tls']>,
): Promise<Readonly<Record<string, string>>> {
  const [certificateFile, keyFile] = [join(directory.path, 'tls.crt'), join(directory.path, 'tls.key')];
  await writeFile(certificateFile, certificate);
  await writeFile(keyFile, key, { mode: 0o600 });
  for (const path of [certificateFile, keyFile]) await giveToServerAccount(path);
  await writeFile(join(directory.path, 'data/pg_hba.conf'), 'hostssl all all all scram-sha-256\n');
  return { ssl: 'on', ssl_cert_file: certificateFile, ssl_key_file: keyFile };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

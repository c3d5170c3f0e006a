import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import type { JsonObject } from '@smalt/json';

import { machineDefinition } from '../fixtures/machine-definition.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

/** What a run of kubectl printed, and how it ended. */
interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface KubectlOptions {
  /** Goes to the standard input; an object as JSON. */
  readonly input?: string | JsonObject;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A command without the name of the program; a text is split at its spaces. */
type Command = string | readonly string[];

/** A server and the kubectl of this machine, which knows nothing but that server. */
export interface KubectlBed extends AsyncDisposable {
  readonly api: TestServer;
  /** The minor version of kubectl, such as 33. */
  readonly clientMinor: number;
  /** A directory for files. */
  readonly directory: string;
  run(command: Command, options?: KubectlOptions): Promise<KubectlResult>;
  /** Runs it and returns what it printed. Throws when it fails. */
  output(command: Command, options?: KubectlOptions): Promise<string>;
  /** Runs it, which must fail, and returns what it complained of. */
  complaint(command: Command, options?: KubectlOptions): Promise<string>;
  /** Starts it and hands out its lines as they come, until the signal aborts. */
  follow(command: Command, signal: AbortSignal): AsyncIterable<string>;
}

const SCRATCH = 'smalt-kubectl-';
// What `env` exits with when there is no such program.
const NOT_FOUND = 127;

/** Starts a server for kubectl, with the custom kind Machine. */
export async function startKubectlBed(): Promise<KubectlBed> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), SCRATCH));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const [api, clientMinor] = await Promise.all([startTestServer(), readClientMinor(directory)]);
  stack.use(api);
  await defineMachines(api);
  const base = { KUBECONFIG: api.server.kubeconfig, HOME: directory };
  const run = (command: Command, options: KubectlOptions = {}): Promise<KubectlResult> =>
    runKubectl(command, { ...base, ...options.environment }, options.input);
  const owned = stack.move();
  return {
    api,
    clientMinor,
    directory,
    run,
    output: async (command, options) => {
      const result = await run(command, options);
      if (result.code !== 0) throw new Error(`kubectl ${words(command).join(' ')} failed: ${result.stderr}`);
      return result.stdout;
    },
    complaint: async (command, options) => {
      const result = await run(command, options);
      if (result.code === 0) throw new Error(`kubectl ${words(command).join(' ')} did not fail: ${result.stdout}`);
      return result.stderr;
    },
    follow: (command, signal) => followKubectl(command, base, signal),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function readClientMinor(home: string): Promise<number> {
  const { stdout } = await runKubectl('version --client -o json', { HOME: home, KUBECONFIG: '/dev/null' });
  const minor = /"minor": "(\d+)/.exec(stdout)?.[1];
  if (minor === undefined) throw new Error(`kubectl does not say which version it is: ${stdout}`);
  return Number(minor);
}

async function defineMachines(api: TestServer): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const created = await api.call('POST', path, { body: machineDefinition() });
  if (created.code !== 201) throw new Error(`the custom kind was refused: ${created.text}`);
  for (;;) {
    const { text } = await api.call('GET', `${path}/machines.bench.example.dev`);
    if (/"type":"Established","status":"True"|"status":"True"[^}]*"type":"Established"/.test(text)) return;
  }
}

function words(command: Command): readonly string[] {
  return typeof command === 'string' ? command.split(' ') : command;
}

// The program `env` adds variables to those of this process, and finds kubectl on the PATH.
function startKubectl(
  command: Command,
  environment: Readonly<Record<string, string>>,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return spawn('env', [...variables, 'kubectl', ...words(command)], { stdio: ['pipe', 'pipe', 'pipe'] });
}

function runKubectl(
  command: Command,
  environment: Readonly<Record<string, string>>,
  input?: string | JsonObject,
): Promise<KubectlResult> {
  const child = startKubectl(command, environment);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {
    // A command that reads no input may have ended before it was handed any.
  });
  child.stdin.end(typeof input === 'object' ? JSON.stringify(input) : (input ?? ''));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === NOT_FOUND) return reject(new Error('kubectl could not be started; is it installed?'));
      return resolve({
        code: code ?? -1,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
      });
    });
  });
}

async function* followKubectl(
  command: Command,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const child = startKubectl(command, environment);
  child.stdin.end();
  child.stderr.resume();
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    let rest = '';
    for await (const chunk of child.stdout) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    stop();
  }
}

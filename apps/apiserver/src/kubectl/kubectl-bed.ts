import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** A server and the kubectl of this machine, which knows nothing but that server. */
export interface KubectlBed extends AsyncDisposable {
  readonly api: TestServer;
  run(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Runs it and returns what it printed. Throws when it fails. */
  output(args: readonly string[], options?: KubectlOptions): Promise<string>;
  /** Starts it and hands out its lines as they come, until the signal aborts. */
  follow(args: readonly string[], signal: AbortSignal): AsyncIterable<string>;
}

const SCRATCH = 'smalt-kubectl-';

/** Starts a server for kubectl, with the custom kind Machine. */
export async function startKubectlBed(): Promise<KubectlBed> {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await startTestServer());
  const home = await mkdtemp(join(tmpdir(), SCRATCH));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  const base = { KUBECONFIG: api.server.kubeconfig, HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const run = (args: readonly string[], options: KubectlOptions = {}): Promise<KubectlResult> =>
    runKubectl(args, { ...base, ...options.environment }, options.input);
  const output = async (args: readonly string[], options?: KubectlOptions): Promise<string> => {
    const result = await run(args, options);
    if (result.code !== 0) throw new Error(`kubectl ${args.join(' ')} failed: ${result.stderr}`);
    return result.stdout;
  };
  await output(['create', '-f', '-'], { input: machineDefinition() });
  await output(['wait', '--for=condition=Established', 'crd/machines.bench.example.dev', '--timeout=10s']);
  const owned = stack.move();
  return {
    api,
    run,
    output,
    follow: (args, signal) => followKubectl(args, base, signal),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function runKubectl(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input?: string | JsonObject,
): Promise<KubectlResult> {
  const child = spawn('kubectl', args, { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.end(typeof input === 'object' ? JSON.stringify(input) : (input ?? ''));
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(new Error('kubectl could not be started; is it installed?', { cause })));
    child.on('close', (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

async function* followKubectl(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const child = spawn('kubectl', args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';

import { lendCapabilities } from '@smalt/bed-libvirt';

import { ConsoleBedError } from './bed-error.ts';
import { inRepository } from './repository.ts';

export interface SmaltOptions {
  /** What is run: the sources, or a bundle. */
  readonly program?: string;
  /** Whether the image `demo`, a small Linux, is in its store. */
  readonly hasImage?: boolean;
  /** Whether libvirt finds out anew what QEMU can do, as it does at the first start on a machine. */
  readonly isFirst?: boolean;
  /** Variables of its environment, beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** More flags of `smalt up`, such as `--hosts`, `2`. */
  readonly flags?: readonly string[];
  /** Fires when it took too long; stops it. */
  readonly signal: AbortSignal;
}

/** A `smalt up` in a data directory of its own, which goes with it. */
export interface RunningSmalt extends AsyncDisposable {
  readonly directory: string;
  readonly kubeconfig: string;
  /** Where the console is, without a path. */
  readonly url: string;
  /** The link of the start. */
  readonly link: string;
  /** From the start of the process until it said that it is ready. */
  readonly readyMs: number;
  /** All that it printed. */
  text(): string;
  /** What another command of smalt on the same data directory prints. */
  run(...args: readonly string[]): Promise<string>;
}

const DIRECTORY_MODE = 0o711;

/** Starts everything that `smalt up` starts; resolves when it is ready. Disposing shuts its guests down, and leaves nothing. */
export async function startSmalt(options: SmaltOptions): Promise<RunningSmalt> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'smalt-console-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  // Guests are not root, and have to get through.
  await chmod(directory, DIRECTORY_MODE);
  const hasHosts = options.flags?.includes('--hosts') === true;
  // Files are laid into it before it is claimed.
  const hosts = hasHosts ? Number(options.flags?.[options.flags.indexOf('--hosts') + 1]) : 0;
  await writeFile(join(directory, 'smalt.json'), JSON.stringify({ kind: 'SmaltData', version: 1, hosts }));
  if (!hasHosts && options.isFirst !== true) await lendCapabilities(join(directory, 'libvirt'));
  const program = options.program ?? inRepository('apps/smalt/src/main.ts');
  const run = async (...args: readonly string[]): Promise<string> =>
    await output(program, [...args, '--data', directory]);
  stack.defer(async () => void (await run('down', '--purge', '--yes')));
  const images = join(directory, 'images');
  const building = options.hasImage === true ? output(program, ['image', 'build-demo', '--images', images]) : undefined;
  const beganAt = performance.now();
  const up = runUp(program, ['up', '--data', directory, ...(options.flags ?? [])], options);
  stack.use(up);
  await up.line(/^Smalt is ready after/m);
  const readyMs = performance.now() - beganAt;
  const [, link = ''] = await up.line(/^ {2}console +(http:\S+)$/m);
  const [, kubeconfig = ''] = await up.line(/export KUBECONFIG='?([^'\n]+)/);
  await building;
  const owned = stack.move();
  return {
    directory,
    kubeconfig,
    link,
    readyMs,
    run,
    url: new URL(link).origin,
    text: () => up.text(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Up extends AsyncDisposable {
  text(): string;
  line(pattern: RegExp): Promise<RegExpExecArray>;
}

function runUp(program: string, args: readonly string[], { signal, environment = {} }: SmaltOptions): Up {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const words = [...variables, process.execPath, program, ...args];
  const child = spawn('env', words, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  const add = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const closed = once(child, 'close');
  // A test that is killed takes it along.
  const stop = (): void => void child.kill('SIGINT');
  process.once('exit', stop);
  const line = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(text);
      if (match !== null) return match;
      if (signal.aborted || child.exitCode !== null) {
        throw new ConsoleBedError('not-started', `smalt up did not print ${pattern}:\n${text}`);
      }
      await Promise.race([once(child.stdout, 'data', { signal }).catch(() => undefined), closed]);
    }
  };
  const dispose = async (): Promise<void> => {
    // Ctrl-C shuts the guests down, a kill would leave them.
    if (child.exitCode === null) stop();
    await closed;
    process.off('exit', stop);
  };
  return { text: () => text, line, [Symbol.asyncDispose]: dispose };
}

async function output(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  return await textOf(child.stdout);
}

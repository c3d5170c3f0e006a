import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import { LibvirtDaemonError } from './error.ts';
import { findProgram, SYSTEM_PATH } from './find-program.ts';
import { namespaceScript } from './namespace-script.ts';
import { readTail } from './read-tail.ts';
import { signalProcess } from './signal-process.ts';

/** One directory or file shown in another place inside the namespace. */
export interface BindMount {
  readonly source: string;
  readonly target: string;
}

export interface NamespaceOptions {
  readonly hostname?: string | undefined;
  readonly bindMounts?: readonly BindMount[] | undefined;
  /** What `start` runs, program first. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Whether it gets a network of its own, empty but for `lo`. */
  readonly ownNetwork?: boolean | undefined;
  /** An open file that its processes inherit, as 3, and so keep open. */
  readonly inherited?: number | undefined;
  /** A file, written anew, that takes what the set-up and the command print. */
  readonly outputFile: string;
}

/** One run of the namespace's command. */
export interface Run {
  /** As seen from outside the namespace. */
  readonly pid: number;
  /** Resolves with the exit status; 128 + N after signal N. Never rejects. */
  readonly exited: Promise<number>;
}

interface Child {
  readonly process: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
}

const KILLED = 128 + 9;

/**
 * Mount, host name, pid and, if wanted, network namespaces that run one command at a time.
 * They live no longer than the thread that made them, however it ends, and take all their processes along.
 */
export class Namespace implements AsyncDisposable {
  /** The namespace's pid 1, as seen from outside. */
  readonly pid: number;
  /** Resolves when every process inside is gone. Never rejects. */
  readonly ended: Promise<void>;
  readonly #child: Child;
  #isEnded = false;
  #starting: PromiseWithResolvers<Run> | undefined;
  #running: PromiseWithResolvers<number> | undefined;

  private constructor(pid: number, child: Child, ended: Promise<unknown>) {
    this.pid = pid;
    this.#child = child;
    this.ended = ended.then(() => this.#end());
  }

  /** Makes the namespaces and mounts; the command does not run yet. */
  static async open(options: NamespaceOptions): Promise<Namespace> {
    const child = await spawnInit(options);
    const ended = new Promise<void>((resolve) => child.process.once('exit', () => resolve()));
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([
      new Promise<string>((resolve) => lines.once('line', resolve)),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ]);
    const [word, ...rest] = first.split(' ');
    if (word !== 'ready') {
      await ended;
      const reason = word === 'failed' ? `${rest.join(' ')} failed` : 'its first process ended at once';
      const log = await readTail(options.outputFile, { maxLines: 10 });
      throw new LibvirtDaemonError('start-failed', `Could not set up namespaces: ${reason}`, { log });
    }
    const namespace = new Namespace(Number(rest[0]), child, ended);
    lines.on('line', (line) => namespace.#hear(line));
    return namespace;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Runs the command, once the run before it has exited. */
  async start(): Promise<Run> {
    if (this.#isEnded) throw new LibvirtDaemonError('ended', 'The namespace has ended');
    if (this.#starting ?? this.#running) throw new LibvirtDaemonError('start-failed', 'The command runs already');
    this.#starting = Promise.withResolvers<Run>();
    this.#child.stdin.write('start\n');
    return this.#starting.promise;
  }

  /** Kills everything inside at once and waits until it is gone. */
  async kill(): Promise<void> {
    if (!this.#isEnded) signalProcess(this.pid, 'SIGKILL');
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #hear(line: string): void {
    const [word, value] = line.split(' ');
    if (word === 'started') {
      this.#running = Promise.withResolvers<number>();
      this.#starting?.resolve({ pid: Number(value), exited: this.#running.promise });
      this.#starting = undefined;
    }
    if (word === 'exited') this.#exit(Number(value));
  }

  #exit(status: number): void {
    const running = this.#running;
    this.#running = undefined;
    running?.resolve(status);
  }

  #end(): void {
    this.#isEnded = true;
    this.#exit(KILLED);
    this.#starting?.reject(new LibvirtDaemonError('ended', 'The namespace ended before its command ran'));
    this.#starting = undefined;
  }
}

/**
 * Two lifelines, each enough alone: the kernel kills the chain from parent to child, and pid 1 exits when the pipe to
 * its stdin closes, which covers a parent that dies before the first is armed.
 */
async function spawnInit(options: NamespaceOptions): Promise<Child> {
  const setpriv = await findProgram('setpriv', 'util-linux');
  await findProgram('unshare', 'util-linux');
  await findProgram('mount', 'mount');
  const bash = await findProgram('bash', 'bash');
  await using output = await open(options.outputFile, 'w');
  const child = spawn(setpriv, [...LIFELINE, ...unshareParameters(options), ...initParameters(bash, options)], {
    stdio: ['pipe', 'pipe', output.fd, options.inherited ?? 'ignore'],
    env: { ...options.environment, PATH: SYSTEM_PATH, LC_ALL: 'C' },
    cwd: '/',
    // A session of its own: Ctrl-C in a terminal is for the owner, who then stops the daemon in good order.
    detached: true,
  });
  if (!child.stdin || !child.stdout) throw new LibvirtDaemonError('start-failed', 'Could not open pipes to setpriv');
  // A write to a pid 1 that is already gone fails; its exit is what is reported.
  child.stdin.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new LibvirtDaemonError('start-failed', 'Could not start setpriv', { cause })),
    );
  });
  return { process: child, stdin: child.stdin, stdout: child.stdout };
}

const LIFELINE = ['--pdeathsig', 'KILL'] as const;

function unshareParameters({ ownNetwork }: NamespaceOptions): readonly string[] {
  const namespaces = ['--mount', '--uts', '--ipc', '--pid', ...(ownNetwork === true ? ['--net'] : [])];
  return ['unshare', ...namespaces, '--propagation', 'slave', '--fork', '--kill-child=KILL'];
}

function initParameters(bash: string, options: NamespaceOptions): readonly string[] {
  const mounts = (options.bindMounts ?? []).flatMap(({ source, target }) => [source, target]);
  const network = options.ownNetwork === true ? 'own' : 'shared';
  const values = [options.hostname ?? '', network, ...mounts, '--', ...options.command];
  // Node's pipes are sockets, and with a socket as stdin bash believes rsh started it and reads ~/.bashrc.
  return [bash, '--norc', '--noprofile', '-c', namespaceScript, 'namespace', ...values];
}

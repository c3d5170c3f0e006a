import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex, type Writable } from 'node:stream';

import { findProgram, runProgram, SYSTEM_PATH, type BindMount, type RunOptions } from '@smalt/libvirt-daemon';

import { BedKubernetesError } from '../error.ts';
import { keeperScript } from './keeper-script.ts';
import { MachineProcess } from './machine-process.ts';
import { joinScript, nodeScript } from './node-scripts.ts';

const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;
const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--root', '--wd'] as const;
const PROGRAMS = '/opt/bed/bin';
const BOOT_TIMEOUT_MS = 30_000;

export interface MachineOptions {
  readonly name: string;
  /** Holds `root`, which the node sees as its root, and `sysctl`, files that it sees instead of those of /proc/sys. */
  readonly directory: string;
  /** Unlike that of any other node on this machine. */
  readonly cgroup: string;
  /** What of this machine the node sees, and where. */
  readonly shown: readonly BindMount[];
}

/**
 * A machine in namespaces of its own: mounts, network, processes, cgroups. It ends with its owner, however that ends, and takes all
 * its processes, mounts, links and cgroups along.
 */
export class NodeMachine implements AsyncDisposable {
  readonly name: string;
  /** Its root, seen from outside. Mounts made inside are not seen in it. */
  readonly root: string;
  /** Its first process, as seen from outside. */
  readonly pid: number;
  readonly #keeper: ChildProcess;
  readonly #orders: Writable;
  readonly #ended: Promise<unknown>;
  readonly #processes = new Map<string, MachineProcess>();

  private constructor({ name, directory }: MachineOptions, pid: number, { child, channels, ended }: Keeper) {
    this.name = name;
    this.root = join(directory, 'root');
    this.pid = pid;
    this.#keeper = child;
    this.#orders = channels.orders;
    this.#ended = ended.then(() => this.#end());
  }

  static async boot(options: MachineOptions, signal: AbortSignal): Promise<NodeMachine> {
    await Promise.all(
      ['old', 'opt/bed/commands', 'var/log/bed'].map((path) =>
        mkdir(join(options.directory, 'root', path), { recursive: true }),
      ),
    );
    const keeper = await spawnKeeper(options);
    const lines = createInterface({ input: keeper.channels.answers });
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(BOOT_TIMEOUT_MS)]);
    try {
      const first = await Promise.race([
        once(lines, 'line', { signal: deadline }).then(([line]) => String(line)),
        keeper.ended.then(() => ''),
      ]);
      const [, pid] = /^ready (\d+)$/.exec(first) ?? [];
      if (pid === undefined) throw new Error('its first process ended at once');
      const machine = new NodeMachine(options, Number(pid), keeper);
      lines.on('line', (line) => machine.#hear(line));
      return machine;
    } catch (cause) {
      keeper.channels.orders.end();
      await keeper.ended;
      const words = (await readFile(machineLog(options.directory), 'utf8')).trim();
      throw new BedKubernetesError('not-ready', `the node ${options.name} did not boot: ${words}`, { cause });
    }
  }

  /** Where the programs that it was given are, inside. */
  static programPath(name: string): string {
    return `${PROGRAMS}/${name}`;
  }

  /** Starts a program on it that runs on; its output goes to a file of that name. */
  async start(name: string, command: readonly string[]): Promise<MachineProcess> {
    if (!/^[a-z0-9-]+$/.test(name)) throw new TypeError(`${name} is no name for a program of the bed`);
    if (this.#processes.get(name)?.isRunning === true)
      throw new BedKubernetesError('not-ready', `${name} runs on ${this.name} already`);
    await writeFile(join(this.root, 'opt/bed/commands', name), command.map((word) => `${word}\0`).join(''));
    const logPath = join(this.root, 'var/log/bed', `${name}.log`);
    await writeFile(logPath, '', { flag: 'a', mode: 0o600 });
    const started = new MachineProcess(`${name} of ${this.name}`, logPath);
    this.#processes.set(name, started);
    this.#orders.write(`${name}\n`);
    await Promise.race([started.started, this.#ended]);
    return started;
  }

  /** What goes before a command, so that it runs on the machine. */
  get enter(): readonly string[] {
    return ['nsenter', ...this.#target()];
  }

  /** Runs a program on the machine to its end and gives what it printed. */
  async run(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
    return (await runProgram(NSENTER, [...this.#target(), '--', ...command], options)).toString();
  }

  /** Loss of power: all of it is gone at once. */
  async kill(): Promise<void> {
    this.#orders.end();
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#keeper.removeAllListeners();
  }

  #end(): void {
    for (const each of this.#processes.values()) each.end();
  }

  #target(): readonly string[] {
    return ['--target', String(this.pid), ...NAMESPACES];
  }

  #hear(line: string): void {
    const [word, name = '', value] = line.split(' ');
    const about = this.#processes.get(name);
    if (word === 'started') about?.begin(Number(value));
    if (word === 'exited') about?.end();
  }
}

interface Keeper {
  readonly child: ChildProcess;
  readonly channels: { readonly orders: Writable; readonly answers: Duplex };
  /** Resolves when nothing of the node is left. Never rejects. */
  readonly ended: Promise<void>;
}

function machineLog(directory: string): string {
  return join(directory, 'node.log');
}

async function spawnKeeper({ name, directory, cgroup, shown }: MachineOptions): Promise<Keeper> {
  const bash = await findProgram('bash', 'bash');
  await Promise.all([findProgram('unshare', 'util-linux'), findProgram('pivot_root', 'util-linux')]);
  const pairs = shown.flatMap(({ source, target }) => [source, target]);
  const values = [cgroup, joinScript, nodeScript, directory, name, ...pairs];
  await using log = await open(machineLog(directory), 'w', 0o600);
  const child = spawn(bash, ['--norc', '--noprofile', '-c', keeperScript, 'keeper', ...values], {
    stdio: ['ignore', log.fd, log.fd, 'pipe', 'pipe'],
    env: { PATH: `${PROGRAMS}:${SYSTEM_PATH}`, LC_ALL: 'C.UTF-8', HOME: '/root' },
    cwd: '/',
    // Ctrl-C in a terminal is for the owner: the keeper has to outlive it to clean up.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const [, , , orders, answers] = child.stdio;
  if (!(orders instanceof Duplex) || !(answers instanceof Duplex))
    throw new BedKubernetesError('not-ready', 'there are no pipes to the node');
  // A node that is gone hears no orders; that it is gone is what is reported.
  orders.on('error', () => undefined);
  answers.on('error', () => undefined);
  return { child, channels: { orders, answers }, ended };
}

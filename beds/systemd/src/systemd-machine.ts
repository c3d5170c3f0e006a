import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram, type RunOptions } from '@smalt/libvirt-daemon';

import { SystemdBedError } from './error.ts';
import { checkUnitName } from './machine-options.ts';
import type { Keeper, MachineEnd } from './start-keeper.ts';

const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;
/**
 * With a fork of its own nsenter stops itself when its child is stopped, as all are by the end of a shutdown, and never
 * reaps it, which keeps the machine from ending. A shell has no such manners.
 */
const WITHOUT_FORK = ['--no-fork', '--', 'sh', '-c', '"$@"; exit $?', 'sh'] as const;
const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--root'] as const;

export interface MachineParts {
  readonly directory: string;
  readonly hostname: string;
  readonly pid: number;
  readonly keeper: Keeper;
  readonly owned: AsyncDisposable;
}

/** A systemd with its bus, logind and hostnamed, in namespaces of its own. */
export class SystemdMachine implements AsyncDisposable {
  readonly hostname: string;
  /** Its systemd, as seen from outside. */
  readonly pid: number;
  /** The socket of its system bus, to be used from outside. */
  readonly busPath: string;
  /** A directory that the machine sees as `/run/bed`. */
  readonly sharedDirectory: string;
  /** Runs `systemd-inhibit` in the machine: logind does not serve processes that it cannot see. */
  readonly inhibitCommand: readonly [string, ...string[]];
  /** Resolves with how the machine ended once nothing of it is left. Never rejects. */
  readonly ended: Promise<MachineEnd>;
  readonly #parts: MachineParts;
  #isEnded = false;

  constructor(parts: MachineParts) {
    this.#parts = parts;
    this.hostname = parts.hostname;
    this.pid = parts.pid;
    this.busPath = join(parts.directory, 'bus', 'system_bus_socket');
    this.sharedDirectory = join(parts.directory, 'shared');
    this.inhibitCommand = ['nsenter', ...this.#target(), 'systemd-inhibit'];
    this.ended = parts.keeper.ended.then((end) => {
      this.#isEnded = true;
      return end;
    });
  }

  /** Runs `systemctl` in the machine and gives what it printed. */
  async systemctl(parameters: readonly string[], options: RunOptions = {}): Promise<string> {
    return this.exec(['systemctl', ...parameters], options);
  }

  /** Runs a program in the machine and gives what it printed. */
  async exec(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
    if (this.#isEnded) throw new SystemdBedError('ended', `The machine ${this.hostname} has ended`);
    return (await runProgram(NSENTER, [...this.#target(), ...command], options)).toString();
  }

  /** Puts a unit file in place; systemd sees it after `systemctl daemon-reload`. */
  async writeUnit(name: string, text: string): Promise<void> {
    checkUnitName(name);
    await writeFile(join(this.#parts.directory, 'units', name), text);
  }

  /** Power loss: all of it is gone at once. */
  async kill(): Promise<void> {
    await this.#parts.keeper.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#parts.owned[Symbol.asyncDispose]();
  }

  #target(): readonly string[] {
    return ['--target', String(this.#parts.pid), ...NAMESPACES, ...WITHOUT_FORK];
  }
}

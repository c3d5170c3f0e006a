import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  detachedScope,
  findProgram,
  isRunning,
  parseProcessMark,
  SYSTEM_PATH,
  untilGone,
  type BindMount,
  type ProcessMark,
} from '@smalt/libvirt-daemon';

import { configureLinks, forgetOrphansSoon, waitUntilForwarding } from './configure-links.ts';
import { hardwareAddress } from './hardware-address.ts';
import { hostScript } from './host-script.ts';
import { LocalHostsError } from './local-hosts-error.ts';
import type { LocalNetwork } from './local-network.ts';
import { raiseHostWall } from './network-wall.ts';
import { removeCgroups } from './remove-cgroups.ts';

const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--pid', '--fork', '--propagation', 'slave'];
const OFF_MS = 10_000;

export interface LocalHostOptions {
  readonly name: string;
  /** From 1 on: its place in the network. */
  readonly number: number;
  readonly network: LocalNetwork;
  /** Holds what the host has as its own. */
  readonly directory: string;
  readonly bindMounts: readonly BindMount[];
  /** What the host runs, again whenever it ends. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The cgroup that the host makes others in, below the root of each tree. */
  readonly cgroupRoot: string;
}

/**
 * A host on this machine: mount, name, pid and network namespaces of its own, with a power switch. It belongs to nobody: it runs
 * on when this process ends, and the next one finds it again. It stays off once it was switched off, until it is switched on.
 */
export class LocalHost {
  readonly name: string;
  readonly address: string;
  readonly #options: LocalHostOptions;
  #changing: Promise<void> = Promise.resolve();

  constructor(options: LocalHostOptions) {
    this.#options = options;
    this.name = options.name;
    this.address = `${options.network.prefix}.${options.number}`;
  }

  /** What its pid 1 and what it runs write to. */
  get logFile(): string {
    return this.#path('host.log');
  }

  /** Whether it has power: its pid 1 runs. Rejects where nobody can tell, which is no proof of anything. */
  async isOn(): Promise<boolean> {
    return (await this.#record()) !== undefined;
  }

  /** Whether somebody switched it off. A host that lost its power with the machine is not. */
  async isSwitchedOff(): Promise<boolean> {
    return await exists(this.#path('switched-off'));
  }

  /** Its pid 1, by which its namespaces are entered; undefined while it is off. */
  async pid(): Promise<number | undefined> {
    return (await this.#record())?.pid;
  }

  /** The id of the boot that it is in, or was in last. */
  async bootId(): Promise<string | undefined> {
    const text = await readFile(this.#path('boot-id'), 'utf8').catch(() => '');
    return text === '' ? undefined : text.trim();
  }

  /** Gives it power, unless it has it: a new boot with the files that it had. */
  async powerOn(): Promise<void> {
    await this.#change(async () => {
      await rm(this.#path('switched-off'), { force: true });
      if (!(await this.isOn())) await this.#boot();
    });
  }

  /** Has what it runs begin anew, as after an update of that; guests run on. */
  async restart(): Promise<void> {
    const mark = await this.#record();
    if (mark === undefined) throw new LocalHostsError('ended', `${this.name} is off: switch it on first`);
    process.kill(mark.pid, 'SIGUSR1');
  }

  /** Takes its power: all of it is gone at once, guests too, and the network hears no farewell. */
  async powerOff(): Promise<void> {
    await this.#change(async () => {
      await writeFile(this.#path('switched-off'), '');
      await this.#crash();
    });
  }

  /** Takes its power as the end of the machine does: the next start boots it again. */
  async stop(): Promise<void> {
    await this.#change(() => this.#crash());
  }

  /** Partition: the host and its guests run on, unreachable. */
  async cut(): Promise<void> {
    if (!(await this.isOn())) throw new LocalHostsError('ended', `${this.name} is off: switch it on first`);
    await configureLinks(undefined, [`link set ${this.#port} down`]);
  }

  /** Ends a partition. */
  async heal(): Promise<void> {
    if (!(await this.isOn())) throw new LocalHostsError('ended', `${this.name} is off: switch it on first`);
    await configureLinks(undefined, [`link set ${this.#port} up`]);
    await waitUntilForwarding(undefined, this.#port);
  }

  /** Whether its link is cut. */
  async isCut(): Promise<boolean> {
    const flags = await readFile(`/sys/class/net/${this.#port}/flags`, 'utf8').catch(() => '0x1');
    return (Number(flags) & 1) === 0;
  }

  get #port(): string {
    return `${this.#options.network.bridge}-${this.#options.number}`;
  }

  #path(name: string): string {
    return join(this.#options.directory, name);
  }

  /** One after the other: the switch may be pressed by several. */
  async #change(deed: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(deed);
    this.#changing = done.catch(() => undefined);
    await done;
  }

  async #record(): Promise<ProcessMark | undefined> {
    const path = this.#path('host.json');
    const text = await readFile(path, 'utf8').catch(nothingWhereNoFile);
    if (text === undefined) return undefined;
    const mark = parseProcessMark(text);
    // That it is off is what guests are started elsewhere for: whoever cannot tell must not say so.
    if (mark === undefined) {
      const next = `see that nothing of ${this.name} runs, and remove it`;
      throw new LocalHostsError('unclear', `${path} is damaged, so nobody knows whether ${this.name} is on: ${next}`);
    }
    return (await isRunning(mark)) ? mark : undefined;
  }

  async #crash(): Promise<void> {
    const mark = await this.#record();
    if (mark !== undefined) {
      await configureLinks(undefined, [`link set ${this.#port} down`]).catch(() => undefined);
      process.kill(mark.pid, 'SIGKILL');
      await untilGone(mark, AbortSignal.timeout(OFF_MS));
    }
    if (await this.isOn()) throw new LocalHostsError('wait-timeout', `${this.name} does not go off`);
    // Those of a real machine do not outlive it.
    await removeCgroups(this.#options.cgroupRoot);
  }

  async #boot(): Promise<void> {
    await mkdir(this.#path('empty'), { recursive: true });
    await writeFile(this.#path('boot-id'), `${randomUUID()}\n`);
    const child = await this.#spawn();
    const failed = once(child, 'exit').then(async ([status]) => {
      const said = await readFile(this.logFile, 'utf8');
      const words = said.trim().split('\n').at(-1) ?? '';
      throw new LocalHostsError('start-failed', `${this.name} did not boot (${String(status)}): ${words}`);
    });
    failed.catch(() => undefined);
    const [, , , third] = child.stdio;
    if (third === null || third === undefined || child.stdin === null) throw new TypeError('there are no pipes');
    await Promise.race([once(third, 'data'), failed]);
    const pid = await this.pid();
    if (pid === undefined) throw new LocalHostsError('start-failed', `${this.name} did not say who it is`);
    await this.#plugIn(pid);
    child.stdin.end('go\n');
    third.destroy();
    child.unref();
  }

  async #spawn() {
    const { name, bindMounts, command, environment } = this.#options;
    const unshare = await findProgram('unshare', 'util-linux');
    const bash = await findProgram('bash', 'bash');
    const mounts = bindMounts.flatMap(({ source, target }) => [source, target]);
    const places = [this.#path('host.json'), this.#path('boot-id'), this.#path('empty')];
    const script = [
      bash,
      '--norc',
      '--noprofile',
      '-c',
      hostScript,
      'host',
      name,
      ...places,
      ...mounts,
      '--',
      ...command,
    ];
    const scope = await detachedScope(`the host ${name} of ${this.#options.directory}`);
    await using log = await open(this.logFile, 'a', 0o600);
    const [program = '', ...words] = [...scope, unshare, ...NAMESPACES, ...script];
    const child = spawn(program, words, {
      stdio: ['pipe', log.fd, log.fd, 'pipe'],
      env: { ...environment, PATH: SYSTEM_PATH, LC_ALL: 'C.UTF-8' },
      cwd: '/',
      detached: true,
    });
    await once(child, 'spawn');
    return child;
  }

  async #plugIn(pid: number): Promise<void> {
    const { network } = this.#options;
    const { address } = this;
    await forgetOrphansSoon(pid);
    // That of a boot before goes when the kernel gets round to it.
    await configureLinks(undefined, [`link delete ${this.#port}`]).catch(() => undefined);
    await raiseHostWall(pid, address);
    await configureLinks(undefined, [
      `link add ${this.#port} type veth peer name eth0 address ${hardwareAddress(address)} netns ${pid}`,
      `link set ${this.#port} master ${network.bridge} up`,
    ]);
    await configureLinks(pid, ['link set lo up', `address add ${address}/24 dev eth0`, 'link set eth0 up']);
    await waitUntilForwarding(undefined, this.#port);
  }
}

function nothingWhereNoFile(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

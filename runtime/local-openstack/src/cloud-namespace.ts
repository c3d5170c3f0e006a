import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Namespace, runProgram } from '@smalt/libvirt-daemon';
import type { RunOptions } from '@smalt/libvirt-daemon';

import { CLOUD_PATHS } from './cloud-paths.ts';
import { ServiceProcess } from './service-process.ts';

const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;

export interface CloudNamespaceOptions {
  /** The directory of the software, which is seen inside as `CLOUD_PATHS.software`. */
  readonly softwareDirectory: string;
  /** What the cloud begins with: nothing, a copy of that beside the software, or what stays in `state` and `log` of a directory. */
  readonly state: 'none' | 'copied' | { readonly directory: string };
  /** Takes what the set-up of the namespaces prints. */
  readonly outputFile: string;
  /** The only directories of the root file system that the cloud may write to. They are not below /run, which it does not see. */
  readonly writable: readonly string[];
}

// Constant: values arrive as arguments and never become code. The tmpfs covers /run, so that paths are the same for
// every cloud, and databases and keys need not be rewritten for each.
const LAY_OUT = String.raw`
set -eu
mount -t tmpfs -o mode=0755 cloud /run
mkdir -p /run/software /run/cloud/{etc,log,tmp,nova,locks}
chmod 0700 /run/cloud
mount --bind -- "$1" /run/software
case $2 in
none) mkdir -p -m 0700 /run/cloud/state/{fernet,credential,images} ;;
copied)
  mount -o remount,bind,ro /run/software
  cp -a /run/software/state /run/cloud/state
  ;;
*)
  mount -o remount,bind,ro /run/software
  mkdir -m 0700 /run/cloud/state
  mount --bind -- "$2/state" /run/cloud/state
  mount --bind -- "$2/log" /run/cloud/log
  ;;
esac
shift 2
# Nothing else of the root file system can be written.
for directory; do mount --bind -- "$directory" "$directory"; done
mount -o remount,bind,ro /
`;

/** The walls of a cloud: all its processes live inside, and end with the process that made it. */
export class CloudNamespace implements AsyncDisposable {
  readonly #namespace: Namespace;

  private constructor(namespace: Namespace) {
    this.#namespace = namespace;
  }

  static async open(options: CloudNamespaceOptions): Promise<CloudNamespace> {
    const { softwareDirectory, state, outputFile, writable } = options;
    await using owner = new AsyncDisposableStack();
    const namespace = owner.use(await Namespace.open({ command: ['true'], outputFile }));
    const cloud = new CloudNamespace(namespace);
    const begins = typeof state === 'string' ? state : state.directory;
    await cloud.run(['bash', '-c', LAY_OUT, 'lay-out', softwareDirectory, begins, ...writable]);
    owner.move();
    return cloud;
  }

  /** Where a path of the inside lies for this process. */
  outside(path: string): string {
    return `/proc/${this.#namespace.pid}/root${path}`;
  }

  /** Where a server of that name writes to, for this process. */
  logPath(name: string): string {
    return this.outside(join(CLOUD_PATHS.logs, `${name}.log`));
  }

  /** Writes a file inside, for its owner only: configurations hold passwords. */
  async write(path: string, text: string): Promise<void> {
    await writeFile(this.outside(path), text, { mode: 0o600 });
  }

  /** Runs a program inside to its end and gives what it printed. */
  async run(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
    return (await runProgram(NSENTER, [...this.#entry(), ...command], options)).toString();
  }

  /** Starts a server inside that writes to a log of its name. */
  async serve(
    name: string,
    command: readonly [string, ...string[]],
    environment: Readonly<Record<string, string>>,
  ): Promise<ServiceProcess> {
    const logPath = this.logPath(name);
    return ServiceProcess.start({ name, logPath, environment, command: [NSENTER.name, ...this.#entry(), ...command] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#namespace[Symbol.asyncDispose]();
  }

  // The processes become children of the namespace's first one in all that counts: they are killed with it.
  #entry(): readonly string[] {
    return ['--target', String(this.#namespace.pid), '--mount', '--pid', '--uts', '--ipc', '--'];
  }
}

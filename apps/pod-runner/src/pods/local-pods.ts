import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '@smalt/controller-runtime';
import { writeFileSafely } from '@smalt/files';
import {
  isInvalidSandbox,
  isProcessRunning,
  podDirectory,
  readSandbox,
  signalProcess,
  writeSandbox,
  type Cgroups,
  type PodSandbox,
} from '@smalt/pod-sandbox';

import { readExit } from '../launch/read-exit.ts';
import type { LocalState } from './decide-pod.ts';
import { isPodUid } from './pod-uid.ts';

export interface LocalPodsOptions {
  readonly podsDirectory: string;
  /** Undefined where pods are only recorded. */
  readonly cgroups: Cgroups | undefined;
  /** What `/smalt/pods` is made in; empty for the root. */
  readonly cgroupRoot: string;
  /** Told that a launcher may have ended; with `namespace/name`. */
  readonly onChange: (key: string) => void;
  /** Told that no process of a pod is left. */
  readonly onEnd: (uid: string) => Promise<void>;
  /** Told of a record that makes no sense; its pod counts as never started. */
  readonly onInvalid: (error: unknown) => void;
}

/** The clock on the wall, which runners of one machine share, and the steady one. */
type StopClock = Pick<Clock, 'now' | 'monotonic'>;

/** Stands before the time in the note of a stop until the signal was sent. */
const ASKED = 'asked ';

/** What there is in the cgroup of a pod. */
export const POD_LEAVES = ['launcher', 'guest'] as const;

/** The cgroups of a pod, below the root of each hierarchy. */
export interface PodCgroups {
  readonly pod: string;
  readonly launcher: string;
  readonly guest: string;
}

interface LocalPod {
  readonly key: string | undefined;
  sandbox: PodSandbox | undefined;
  exitCode: number | undefined;
  /** Whether its exit code will be told. */
  isChild: boolean;
  /** When its launcher was told to end, by the clock that cannot be set. */
  stoppedAt: number | undefined;
  watch: Disposable | undefined;
}

/** What is on this node of pods: directories, cgroups and launchers, whichever runner made them. */
export class LocalPods implements Disposable {
  readonly #options: LocalPodsOptions;
  readonly #pods = new Map<string, LocalPod>();

  constructor(options: LocalPodsOptions) {
    this.#options = options;
  }

  /** Looks for all that earlier runners have left. Rejects where that cannot be seen. */
  async load(): Promise<void> {
    const { podsDirectory, onInvalid } = this.#options;
    await mkdir(podsDirectory, { recursive: true, mode: 0o711 });
    const entries = await readdir(podsDirectory, { withFileTypes: true });
    // What else somebody keeps here is not ours to end.
    for (const { name } of entries.filter((entry) => entry.isDirectory() && isPodUid(entry.name))) {
      const sandbox = await readSandbox(podsDirectory, name).catch((error: unknown) => {
        // What cannot be read now may be the record of a pod that runs, and would be ended as one that is lost.
        if (!isInvalidSandbox(error)) throw error;
        onInvalid(error);
        return undefined;
      });
      this.#add(name, sandbox && `${sandbox.namespace}/${sandbox.name}`);
      if (sandbox !== undefined) await this.#take(name, sandbox);
    }
  }

  get uids(): readonly string[] {
    return [...this.#pods.keys()];
  }

  uidsOf(key: string): readonly string[] {
    return [...this.#pods].filter(([, pod]) => pod.key === key).map(([uid]) => uid);
  }

  /** The `namespace/name` of a pod; undefined when its record cannot be read. */
  keyOf(uid: string): string | undefined {
    return this.#pods.get(uid)?.key;
  }

  /** Whether anything runs here, whoever started it. */
  async isAnyRunning(): Promise<boolean> {
    for (const uid of this.uids) if ((await this.state(uid)).kind === 'running') return true;
    return false;
  }

  get runningCount(): number {
    return [...this.#pods.values()].filter(({ sandbox }) => sandbox !== undefined).length;
  }

  /** Whether a volume at this path belongs to a pod of this node. */
  usesPath(path: string): boolean {
    const volumes = [...this.#pods.values()].flatMap(({ sandbox }) => Object.values(sandbox?.volumes ?? {}));
    return volumes.some((volume) => volume.path === path);
  }

  directory(uid: string): string {
    return podDirectory(this.#options.podsDirectory, uid);
  }

  cgroupsOf(uid: string): PodCgroups {
    const pod = `${this.#options.cgroupRoot}/smalt/pods/${uid}`;
    return { pod, launcher: `${pod}/launcher`, guest: `${pod}/guest` };
  }

  async state(uid: string): Promise<LocalState> {
    const pod = this.#pods.get(uid);
    if (pod?.sandbox === undefined) return { kind: 'nothing' };
    const { launcher } = pod.sandbox;
    if (launcher === undefined) return { kind: 'running', hasProcess: false };
    if (await isProcessRunning(launcher)) return { kind: 'running', hasProcess: true };
    // The kernel may tell of an end before Node does, which knows more.
    if (pod.isChild) return { kind: 'running', hasProcess: true };
    const exit = await readExit({ directory: this.directory(uid), launcher, exitCode: pod.exitCode });
    return { kind: 'ended', exit };
  }

  /** Makes room for a pod; from now on something of it may be here. */
  async begin(uid: string, key: string): Promise<string> {
    const directory = this.directory(uid);
    if (!this.#pods.has(uid)) this.#add(uid, key);
    await mkdir(directory, { recursive: true, mode: 0o711 });
    return directory;
  }

  /** Records a pod that was started. */
  async record(sandbox: PodSandbox): Promise<void> {
    await writeSandbox(this.#options.podsDirectory, sandbox);
    await this.#take(sandbox.podUid, sandbox);
  }

  /** Takes note that a launcher is a child of this process. */
  expectExit(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod !== undefined) pod.isChild = true;
  }

  /** Takes note of the exit code of such a launcher. */
  exited(uid: string, exitCode: number | undefined): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    pod.isChild = false;
    pod.exitCode = exitCode;
    if (pod.key !== undefined) this.#options.onChange(pod.key);
  }

  /**
   * How long ago the launcher of a pod was told to end; undefined when it was not. The clock on the wall counts only for what an
   * earlier runner has noted, and only once.
   */
  async stoppingForMs(uid: string, clock: StopClock): Promise<number | undefined> {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return undefined;
    pod.stoppedAt ??= await this.#readStop(uid, clock);
    return pod.stoppedAt === undefined ? undefined : clock.monotonic() - pod.stoppedAt;
  }

  /** Tells the launcher of a pod to end. A runner that is killed on the way leaves it to the next one. */
  async stop(uid: string, clock: StopClock): Promise<void> {
    const pod = this.#pods.get(uid);
    if (pod?.sandbox === undefined) return;
    const now = Math.round(clock.now());
    await this.#noteStop(uid, `${ASKED}${now}`);
    if (pod.sandbox.launcher !== undefined) await signalProcess(pod.sandbox.launcher, 'SIGTERM');
    await this.#noteStop(uid, String(now));
    pod.stoppedAt = clock.monotonic();
  }

  /** Kills all processes of a pod, its guest too, and removes its cgroup. */
  async kill(uid: string, signal: AbortSignal): Promise<void> {
    const { cgroups } = this.#options;
    if (cgroups === undefined) return;
    const { pod } = this.cgroupsOf(uid);
    await cgroups.kill(pod, signal);
    const known = this.#pods.get(uid);
    known?.watch?.[Symbol.dispose]();
    if (known !== undefined) known.watch = undefined;
    await cgroups.remove(pod);
    await this.#options.onEnd(uid);
  }

  /** Kills and removes all that is here of a pod. */
  async remove(uid: string, signal: AbortSignal): Promise<void> {
    await this.kill(uid, signal);
    await rm(this.directory(uid), { recursive: true, force: true });
    this.#pods.delete(uid);
  }

  [Symbol.dispose](): void {
    for (const { watch } of this.#pods.values()) watch?.[Symbol.dispose]();
    this.#pods.clear();
  }

  #add(uid: string, key: string | undefined): void {
    this.#pods.set(uid, {
      key,
      sandbox: undefined,
      exitCode: undefined,
      isChild: false,
      stoppedAt: undefined,
      watch: undefined,
    });
  }

  async #take(uid: string, sandbox: PodSandbox): Promise<void> {
    const { cgroups, onChange } = this.#options;
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    pod.sandbox = sandbox;
    const { launcher } = sandbox;
    // One that has ended is seen by who looks at its pod; its cgroup may be gone, and tells nothing.
    if (launcher === undefined || cgroups === undefined || !(await isProcessRunning(launcher))) return;
    const { key } = pod;
    pod.watch ??= cgroups.watch(this.cgroupsOf(uid).launcher, () => key !== undefined && onChange(key));
  }

  async #noteStop(uid: string, text: string): Promise<void> {
    // Launchers do not outlive a loss of power either.
    await writeFileSafely(this.#stoppingFile(uid), text, { isDurable: false });
  }

  async #readStop(uid: string, clock: StopClock): Promise<number | undefined> {
    const text = await readFile(this.#stoppingFile(uid), 'utf8').catch(() => '');
    // With `ASKED` it is not known whether the signal was sent: it is sent once more, which a launcher does not mind.
    return /^\d+$/.test(text) ? clock.monotonic() - Math.max(0, clock.now() - Number(text)) : undefined;
  }

  #stoppingFile(uid: string): string {
    return join(this.directory(uid), 'stopping');
  }
}

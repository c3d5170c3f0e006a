import { AgentError } from '../agent-error.ts';
import { GuardedDirectory, type Entry } from './guarded-directory.ts';
import { MARK_DIRECTORY, MARK_NAME, parseMark, printMark, type InstalledMark } from './installed-mark.ts';
import type { KeyMaterial } from './key-material.ts';
import {
  isNothingToDo,
  ownerOf,
  pathOf,
  planInstallation,
  type FileOwners,
  type InstallationPlan,
} from './plan-installation.ts';
import { modeOf, PKI_DIRECTORIES, PKI_FILES, PKI_LINKS } from './pki-layout.ts';

const PRIVATE = /(^|\/)private$/;

/** The directory that libvirt's and QEMU's certificates lie in, held open with all that is in it. */
export class PkiDirectory implements AsyncDisposable {
  readonly #directories: ReadonlyMap<string, GuardedDirectory>;
  readonly #owned: AsyncDisposableStack;

  private constructor(directories: ReadonlyMap<string, GuardedDirectory>, owned: AsyncDisposableStack) {
    this.#directories = directories;
    this.#owned = owned;
  }

  static async open(path: string): Promise<PkiDirectory> {
    await using owner = new AsyncDisposableStack();
    const root = owner.use(await GuardedDirectory.openRoot(path));
    const directories = new Map<string, GuardedDirectory>();
    for (const name of PKI_DIRECTORIES) {
      const parts = name.split('/');
      const last = parts.pop() ?? name;
      const parent = directories.get(parts.join('/')) ?? root;
      directories.set(name, owner.use(await parent.enter(last, PRIVATE.test(name) ? 0o700 : 0o755)));
    }
    return new PkiDirectory(directories, owner.move());
  }

  async plan(material: KeyMaterial, owners: FileOwners): Promise<InstallationPlan> {
    const entries = new Map<string, Entry>();
    for (const place of [...PKI_FILES, ...PKI_LINKS]) {
      entries.set(pathOf(place), await this.#in(place.directory).read(place.name));
    }
    return planInstallation(entries, material, owners);
  }

  /**
   * Carries a plan out. All files are written down to the disk first and then put in place one right after the other, so
   * that a failure changes nothing and a key and its certificate differ for no longer than that takes.
   */
  async carryOut(plan: InstallationPlan, material: KeyMaterial, owners: FileOwners, now: Date): Promise<void> {
    if (isNothingToDo(plan)) return;
    if (plan.obstacles.length > 0) {
      throw new AgentError('unsafe-path', `${plan.obstacles.join(', ')}: not a file; remove it`);
    }
    for (const directory of this.#directories.values()) await directory.removeStaged();
    const placings = await this.#stage(plan, material, owners);
    await this.#forgetMark();
    for (const link of plan.setAside) {
      await this.#in(link.directory).setAside(link.name, `${link.name}.${now.toISOString()}.backup`);
    }
    for (const { directory, staged, name } of placings) await this.#in(directory).place(staged, name);
    for (const directory of this.#directories.values()) await directory.sync();
  }

  async readMark(): Promise<InstalledMark | undefined> {
    const entry = await this.#in(MARK_DIRECTORY).read(MARK_NAME);
    return entry.kind === 'file' ? parseMark(entry.content.toString('utf8')) : undefined;
  }

  async writeMark(mark: InstalledMark): Promise<void> {
    const directory = this.#in(MARK_DIRECTORY);
    await directory.place(await directory.stage(MARK_NAME, { content: printMark(mark), mode: 0o600 }), MARK_NAME);
    await directory.sync();
  }

  /** The certificate that daemons show, if there is one. */
  async readCertificate(): Promise<Buffer | undefined> {
    const entry = await this.#in('libvirt').read('servercert.pem');
    return entry.kind === 'file' ? entry.content : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }

  async #stage(plan: InstallationPlan, material: KeyMaterial, owners: FileOwners): Promise<readonly Placing[]> {
    const placings: Placing[] = [];
    try {
      for (const file of plan.files) {
        const { directory, name } = file;
        const content = material[file.content];
        const owner = ownerOf(file, owners);
        const staged = await this.#in(directory).stage(name, { content, mode: modeOf(file), owner });
        placings.push({ directory, name, staged });
      }
      for (const { directory, name, target } of plan.links) {
        placings.push({ directory, name, staged: await this.#in(directory).stageLink(name, target) });
      }
    } catch (error) {
      for (const { directory, staged } of placings) await this.#in(directory).remove(staged);
      throw error;
    }
    return placings;
  }

  // Whoever finds new files without a mark knows that the daemon has not been told yet.
  async #forgetMark(): Promise<void> {
    const directory = this.#in(MARK_DIRECTORY);
    await directory.remove(MARK_NAME);
    await directory.sync();
  }

  #in(name: string): GuardedDirectory {
    const directory = this.#directories.get(name);
    if (directory === undefined) throw new TypeError(`${name} is not a directory for certificates`);
    return directory;
  }
}

interface Placing {
  readonly directory: string;
  readonly name: string;
  readonly staged: string;
}

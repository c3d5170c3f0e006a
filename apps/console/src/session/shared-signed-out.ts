import { Informer } from '@smalt/controller-runtime';
import type { ResourceClient } from '@smalt/kube';
import { parseFieldSelector, type KindReference, type KubernetesObject } from '@smalt/kubernetes';
import type { Ignore } from '@smalt/service-runtime';

import type { ConsoleClock } from '../console-clock.ts';
import { ConsoleError } from '../console-error.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { SignOutWriter } from './sign-out-writer.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const configMapKind: KindReference<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  isNamespaced: true,
};

/** How long one who signs out waits for it to be written down; it is tried on after that, while the console runs. */
const WRITE_MS = 5_000;
const UNTIL = /^\d{1,16}$/;

export interface SharedSignedOutDeps {
  readonly client: ResourceClient<ConfigMap>;
  readonly place: { readonly namespace: string; readonly name: string };
  readonly clock: ConsoleClock;
  readonly ignore: Ignore;
  /** Fires when the console stops. */
  readonly stopping: AbortSignal;
}

/**
 * Sessions that were ended, in a ConfigMap that all replicas follow: id and end of each, nothing that opens one. What was seen once counts here
 * until its end, also where somebody takes it out of there.
 */
export class SharedSignedOut implements EndedSessions {
  readonly #deps: SharedSignedOutDeps;
  readonly #informer: Informer<ConfigMap>;
  readonly #writer: SignOutWriter;
  readonly #until = new Map<string, number>();
  #tell: (id: string) => void = () => undefined;

  constructor(deps: SharedSignedOutDeps) {
    const { client, place, ignore } = deps;
    this.#deps = deps;
    this.#informer = new Informer(client, {
      // Only the name of the one makes it a matter of the rights to that one.
      select: { namespace: place.namespace, fieldSelector: parseFieldSelector(`metadata.name=${place.name}`) },
      onFailure: (error) => ignore(error, 'who signed out is looked for again'),
    });
    this.#writer = new SignOutWriter({ ...deps, write: (ends, signal) => this.#write(ends, signal) });
    this.#informer.onChange(({ current }) => this.#take(current?.data ?? {}));
  }

  /** Follows until the console stops, and what was not written down yet was tried once more. */
  async run(): Promise<void> {
    await this.#informer.run(this.#deps.stopping);
    await this.#writer.whenIdle();
  }

  /** Resolves when it is known who signed out, or when the signal fires. */
  async whenKnown(signal: AbortSignal): Promise<void> {
    await this.#informer.whenSynced(signal).catch(() => undefined);
  }

  has(id: string): boolean {
    if (this.#until.has(id)) return true;
    if (this.#informer.hasSynced) return false;
    throw new ConsoleError('unavailable', 'the API server has not said yet who signed out: try again in a moment');
  }

  async add(id: string, until: number): Promise<void> {
    this.#until.set(id, until);
    if (this.#isKept(id)) return;
    const waited = new AbortController();
    const late = this.#deps.clock.wait(WRITE_MS, waited.signal).then(
      () => false,
      () => false,
    );
    const isWritten = await Promise.race([this.#writer.add(id, until), late]);
    waited.abort();
    if (isWritten) return;
    const when = 'once the API server takes it, unless this console is restarted before';
    throw new ConsoleError(
      'unavailable',
      `this browser is signed out; that the session is over is written down ${when}`,
    );
  }

  onEnded(tell: (id: string) => void): void {
    this.#tell = tell;
  }

  async #write(ends: ReadonlyMap<string, number>, signal: AbortSignal): Promise<void> {
    const { client, place } = this.#deps;
    // Each entry is a field of its own, so replicas do not get into each other's way.
    const added = Object.fromEntries([...ends].map(([id, until]) => [id, String(Math.ceil(until))]));
    const data = { ...this.#worn(), ...added };
    await client.patch(place.name, 'merge', { data }, { namespace: place.namespace, signal });
  }

  #isKept(id: string): boolean {
    return this.#informer.cache.list().some(({ data }) => data?.[id] !== undefined);
  }

  /** Entries that are over, as fields to take away. */
  #worn(): Readonly<Record<string, null>> {
    const now = this.#deps.clock.now();
    for (const [id, end] of this.#until) if (end <= now) this.#until.delete(id);
    const entries = this.#informer.cache.list().flatMap(({ data }) => Object.entries(data ?? {}));
    return Object.fromEntries(entries.filter(([, end]) => !(Number(end) > now)).map(([id]) => [id, null]));
  }

  #take(data: Readonly<Record<string, string>>): void {
    const now = this.#deps.clock.now();
    for (const [id, end] of Object.entries(data)) {
      const isNew = UNTIL.test(end) && Number(end) > now && !this.#until.has(id);
      if (!isNew) continue;
      this.#until.set(id, Number(end));
      this.#tell(id);
    }
  }
}

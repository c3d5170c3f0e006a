import { setTimeout as delay } from 'node:timers/promises';

import { connect, ConnectListAllDomainsFlags } from '@smalt/libvirt';

import type { VmHost } from '../../virtual-machines/vm-host.ts';

const PAUSE_MS = 200;
/** A guest that moves between two questions is seen at both ends once, not again and again. */
const LOOKS = 4;

/** Looks again and again whether a guest runs on two hosts. */
export class TwiceWatch implements AsyncDisposable {
  readonly complaints: string[] = [];
  /** How often all hosts answered. */
  looks = 0;
  readonly #hosts: readonly VmHost[];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(hosts: readonly VmHost[]) {
    this.#hosts = hosts;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      let suspects = await this.#runningTwice();
      for (let look = 1; look < LOOKS && suspects.length > 0; look++) {
        const again = new Set(await this.#runningTwice());
        suspects = suspects.filter((name) => again.has(name));
      }
      for (const name of suspects) this.complaints.push(`${name} ran on two hosts at once`);
      await delay(PAUSE_MS);
    }
  }

  async #runningTwice(): Promise<readonly string[]> {
    const answers = await Promise.all(this.#hosts.map((host) => runningOn(host)));
    if (answers.includes(undefined)) return [];
    this.looks++;
    const seen = new Set<string>();
    return answers.flatMap((names) => names ?? []).filter((name) => seen.size === seen.add(name).size);
  }
}

/** Undefined while its libvirt does not answer. */
async function runningOn({ machine }: VmHost): Promise<readonly string[] | undefined> {
  try {
    await using connection = await connect(machine.uri, { signal: AbortSignal.timeout(5_000) });
    const domains = await connection.connectListAllDomains({ flags: ConnectListAllDomainsFlags.running });
    return domains.map(({ name }) => name);
  } catch {
    return undefined;
  }
}

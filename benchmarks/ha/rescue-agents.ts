import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { leaseKind } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { microTime } from '@smalt/kubernetes';

import { AgentConnection } from './agent-connection.ts';
import { batchOf } from './bench-agent.ts';

const BEAT_MS = 500;
const NAMESPACE = 'kube-node-lease';

/** How a host speaks to the service, and to the API server. */
export interface HostVoice {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly authority: string;
  readonly client: KubeClient;
}

/** The agent and the kubelet of one host, until it dies. */
export class RescueAgent implements AsyncDisposable {
  readonly #voice: HostVoice;
  readonly #connection: AgentConnection;
  readonly #stop = new AbortController();
  readonly #epoch: string = randomUUID();
  #sequence = 0;
  #running: Promise<void> = Promise.resolve();

  private constructor(voice: HostVoice, connection: AgentConnection) {
    this.#voice = voice;
    this.#connection = connection;
  }

  static async start(voice: HostVoice): Promise<RescueAgent> {
    const agent = new RescueAgent(voice, await AgentConnection.open(voice, voice.host, voice.token));
    await agent.#beat();
    agent.#running = agent.#live();
    return agent;
  }

  /** Speaks for the last time, and gives the moment when it has. */
  async die(): Promise<number> {
    this.#stop.abort();
    await this.#running;
    await this.#beat();
    return performance.now();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running.catch(() => undefined);
    this.#connection[Symbol.dispose]();
  }

  async #live(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await delay(BEAT_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      if (!this.#stop.signal.aborted) await this.#beat();
    }
  }

  async #beat(): Promise<void> {
    const { host, client } = this.#voice;
    this.#sequence++;
    const spec = { holderIdentity: host, leaseDurationSeconds: 40, renewTime: microTime(Date.now()) };
    await Promise.all([
      this.#connection.push(batchOf(host, this.#epoch, this.#sequence, false)),
      client.resource(leaseKind).apply(host, { spec }, { namespace: NAMESPACE, force: true }),
    ]);
  }
}

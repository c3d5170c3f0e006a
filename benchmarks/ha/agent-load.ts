import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { AgentConnection, type ServicePlace } from './agent-connection.ts';
import { batchOf, hostNames, tokenOf } from './bench-agent.ts';

const OPENED_AT_ONCE = 32;

export interface LoadPlace extends ServicePlace {
  readonly secret: string;
}

interface BenchAgent {
  readonly host: string;
  readonly epoch: string;
  readonly connection: AgentConnection;
  next: number;
}

/** Many agents in one process. Each command is a line; the README lists them. */
export class AgentLoad implements Disposable {
  readonly #place: LoadPlace;
  readonly #agents: BenchAgent[] = [];

  constructor(place: LoadPlace) {
    this.#place = place;
  }

  async run(line: string): Promise<object> {
    const [command = '', ...numbers] = line.split(' ');
    const [first = 0, second = 0] = numbers.map(Number);
    switch (command) {
      case 'connect':
        return await this.#connect(first);
      case 'flood':
        return await this.#flood(first);
      case 'report':
        return await this.#report(first, second);
      default:
        throw new BenchmarkError('bad-arguments', `no command ${command}`);
    }
  }

  [Symbol.dispose](): void {
    for (const { connection } of this.#agents) connection[Symbol.dispose]();
  }

  async #connect(count: number): Promise<object> {
    const left = [...hostNames(count)].toReversed();
    const open = async (): Promise<void> => {
      for (let host = left.pop(); host !== undefined; host = left.pop()) {
        const connection = await AgentConnection.open(this.#place, host, tokenOf(this.#place.secret, host));
        const agent = { host, epoch: randomUUID(), connection, next: 1 };
        this.#agents.push(agent);
        // Whoever connects and says nothing is cut off.
        await push(agent, false);
      }
    };
    await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open));
    return { connected: this.#agents.length };
  }

  /** Every agent sends the next batch as soon as the one before is acknowledged. */
  async #flood(seconds: number): Promise<object> {
    const began = performance.now();
    const until = began + seconds * 1_000;
    const times: number[] = [];
    const send = async (agent: BenchAgent): Promise<void> => {
      while (performance.now() < until) times.push(await push(agent, true));
    };
    await Promise.all(this.#agents.map(send));
    return summary(times, (performance.now() - began) / 1_000);
  }

  /** Every agent sends one batch in each interval; they are spread over it. */
  async #report(seconds: number, intervalMs: number): Promise<object> {
    const began = performance.now();
    const until = began + seconds * 1_000;
    const times: number[] = [];
    const report = async (agent: BenchAgent, index: number): Promise<void> => {
      let at = began + (index / this.#agents.length) * intervalMs;
      for (; at < until; at += intervalMs) {
        await delay(Math.max(0, at - performance.now()));
        times.push(await push(agent, false));
      }
    };
    await Promise.all(this.#agents.map(report));
    return summary(times, (performance.now() - began) / 1_000);
  }
}

/** Sends a batch, sees that all of it is acknowledged, and gives the milliseconds it took. */
async function push(agent: BenchAgent, hasEvent: boolean): Promise<number> {
  const sequence = agent.next;
  agent.next += hasEvent ? 2 : 1;
  const body = batchOf(agent.host, agent.epoch, sequence, hasEvent);
  const began = performance.now();
  const answer = await agent.connection.push(body);
  const took = performance.now() - began;
  if (answer.startsWith('HTTP/1.1 200 ') && answer.includes(`"acknowledged":${agent.next - 1}}`)) return took;
  throw new BenchmarkError('peer-failed', `the service answered ${answer}`);
}

function summary(times: readonly number[], seconds: number): object {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { batches: times.length, seconds, perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

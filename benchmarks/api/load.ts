import { setTimeout as delay } from 'node:timers/promises';

import { ApiConnection, type ApiAccess, type ApiWatch } from './api-connection.ts';
import {
  DEFINITIONS_PATH,
  machine,
  machineDefinition,
  MACHINES_PATH,
  machineStatus,
  NAMESPACE,
} from './machine-kind.ts';
import { percentile } from './percentile.ts';

const MAX_CONNECTIONS = 64;
const SERVED_TIMEOUT_MS = 30_000;
const DELIVERY_TIMEOUT_MS = 10_000;

/** The answer to a command: what was measured, by name. */
export type LoadAnswer = Readonly<Record<string, number>>;

/** What puts a server under load, one command at a time; see the README for the commands. */
export class Load implements Disposable {
  readonly #api: ApiConnection;

  constructor(access: ApiAccess) {
    this.#api = new ApiConnection(access, MAX_CONNECTIONS);
  }

  run(line: string): Promise<LoadAnswer> {
    const [command = '', ...words] = line.split(' ');
    const [first = 0, second = 0, third = 0] = words.map(Number);
    switch (command) {
      case 'prepare':
        return this.#prepare();
      case 'create':
        return this.#measure(first, second, (number) => this.#create(`c-${third}-${second}-${number}`, number));
      case 'seed':
        return this.#measure(first, second, (number) => this.#create(`seed-${third + number}`, number));
      case 'status':
        return this.#measureStatus(first, second, third);
      case 'list':
        return this.#measureLists(first);
      case 'watch':
        return this.#measureWatch(first, second);
      case 'fan-out':
        return this.#measureFanOut(first, second, third);
      case 'clear':
        return this.#clear();
      default:
        throw new TypeError(`no such command: ${command}`);
    }
  }

  [Symbol.dispose](): void {
    this.#api[Symbol.dispose]();
  }

  async #prepare(): Promise<LoadAnswer> {
    await this.#api.mustAsk('POST', '/api/v1/namespaces', namespaceObject());
    await this.#api.mustAsk('POST', DEFINITIONS_PATH, machineDefinition());
    const deadline = AbortSignal.timeout(SERVED_TIMEOUT_MS);
    while ((await this.#api.ask('GET', `${MACHINES_PATH}?limit=1`)).status !== 200)
      await delay(50, undefined, { signal: deadline });
    // A real server may serve a new kind and refuse writes to it for a moment yet.
    await delay(1000, undefined, { signal: deadline });
    return {};
  }

  async #create(name: string, number: number): Promise<void> {
    await this.#api.mustAsk('POST', MACHINES_PATH, machine(name, number));
  }

  async #measure(count: number, clients: number, work: (number: number) => Promise<void>): Promise<LoadAnswer> {
    const times: number[] = [];
    let next = 0;
    const startedAt = performance.now();
    const client = async (): Promise<void> => {
      for (let number = next++; number < count; number = next++) {
        const begin = performance.now();
        await work(number);
        times.push(performance.now() - begin);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    const seconds = (performance.now() - startedAt) / 1000;
    return { perSecond: count / seconds, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  }

  /** Each client updates a machine of its own, so that nobody gets in the way of others. */
  async #measureStatus(count: number, clients: number, round: number): Promise<LoadAnswer> {
    const objects = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const name = `s-${round}-${clients}-${client}`;
        const answer = await this.#api.mustAsk('POST', MACHINES_PATH, machine(name, client));
        return parseObject(answer.body);
      }),
    );
    const idle = objects.map((_, index) => index);
    return this.#measure(count, clients, async (number) => {
      const index = idle.pop() ?? 0;
      const object = { ...objects[index], status: machineStatus(number + 1) };
      const path = `${MACHINES_PATH}/${metadataOf(object, 'name')}/status`;
      objects[index] = parseObject((await this.#api.mustAsk('PUT', path, object)).body);
      idle.push(index);
    });
  }

  async #measureLists(count: number): Promise<LoadAnswer> {
    const times: number[] = [];
    let bytes = 0;
    let items = 0;
    for (let number = 0; number < count; number++) {
      const begin = performance.now();
      const { body } = await this.#api.mustAsk('GET', MACHINES_PATH);
      times.push(performance.now() - begin);
      bytes = body.length;
      if (number === 0) items = itemsOf(parseObject(body)).length;
    }
    return { p50Ms: percentile(times, 0.5), bytes, items };
  }

  /** From the moment a create is sent to the moment its event has come, at a steady rate. */
  async #measureWatch(count: number, perSecond: number): Promise<LoadAnswer> {
    const sentAt = new Map<string, number>();
    const times: number[] = [];
    const watch = await this.#watchFrom((line, at) => {
      const begin = sentAt.get(eventText(line, 'name'));
      if (begin !== undefined && line.includes('"ADDED"')) times.push(at - begin);
    });
    await this.#steadily(count, perSecond, (number) => {
      sentAt.set(`w-${number}`, performance.now());
      return this.#create(`w-${number}`, number);
    });
    await delivered(() => times.length >= count || watch.isEnded);
    watch.close();
    return latencies(times, count);
  }

  async #measureFanOut(watchers: number, perSecond: number, seconds: number): Promise<LoadAnswer> {
    const names = Array.from({ length: 50 }, (_, number) => `f-${number}`);
    await Promise.all(names.map((name, number) => this.#create(name, number)));
    const sentAt = new Map<string, number>();
    const times: number[] = [];
    const watches: ApiWatch[] = [];
    for (let number = 0; number < watchers; number++) {
      const watch = await this.#watchFrom((line, at) => {
        const begin = sentAt.get(eventText(line, 'smalt.dev/tick'));
        if (begin !== undefined) times.push(at - begin);
      });
      watches.push(watch);
    }
    const count = perSecond * seconds;
    await this.#steadily(count, perSecond, (number) => this.#touch(names[number % names.length] ?? '', number, sentAt));
    await delivered(() => times.length >= count * watchers || watches.every(({ isEnded }) => isEnded));
    for (const watch of watches) watch.close();
    return latencies(times, count * watchers);
  }

  async #touch(name: string, number: number, sentAt: Map<string, number>): Promise<void> {
    sentAt.set(`t${number}`, performance.now());
    const patch = { metadata: { annotations: { 'smalt.dev/tick': `t${number}` } } };
    await this.#api.mustAsk('PATCH', `${MACHINES_PATH}/${name}`, patch);
  }

  async #steadily(count: number, perSecond: number, work: (number: number) => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    const underWay: Promise<void>[] = [];
    for (let number = 0; number < count; number++) {
      const waitMs = startedAt + (number * 1000) / perSecond - performance.now();
      if (waitMs > 0) await delay(waitMs);
      underWay.push(work(number));
    }
    await Promise.all(underWay);
  }

  async #watchFrom(onLine: (line: string, at: number) => void): Promise<ApiWatch> {
    const { body } = await this.#api.mustAsk('GET', `${MACHINES_PATH}?limit=1`);
    const resourceVersion = metadataOf(parseObject(body), 'resourceVersion');
    return this.#api.watch(`${MACHINES_PATH}?watch=1&resourceVersion=${resourceVersion}`, onLine);
  }

  async #clear(): Promise<LoadAnswer> {
    await this.#api.mustAsk('DELETE', MACHINES_PATH);
    return {};
  }
}

function latencies(times: readonly number[], expected: number): LoadAnswer {
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), delivered: times.length, expected };
}

/** The value of a key in the text of an event. Parsing 20,000 objects a second would measure the parser. */
function eventText(line: string, key: string): string {
  const mark = `"${key}":"`;
  const start = line.indexOf(mark);
  return start < 0 ? '' : line.slice(start + mark.length, line.indexOf('"', start + mark.length));
}

async function delivered(isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + DELIVERY_TIMEOUT_MS;
  while (!isDone() && performance.now() < deadline) await delay(20);
}

function namespaceObject(): object {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (typeof value !== 'object' || value === null) throw new TypeError('the answer is no object');
  return { ...value };
}

function itemsOf(list: Readonly<Record<string, unknown>>): readonly unknown[] {
  const items = list['items'];
  return Array.isArray(items) ? items : [];
}

function metadataOf(object: Readonly<Record<string, unknown>>, name: string): string {
  const metadata = object['metadata'];
  if (typeof metadata !== 'object' || metadata === null) return '';
  const value: unknown = Object.entries(metadata).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}

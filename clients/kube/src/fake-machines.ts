import type { KindReference, KubernetesObject, WatchEvent } from '@smalt/kubernetes';

import { startFakeServer, type Answer, type FakeServer } from './fake-server.ts';
import { KubeClient } from './kube-client.ts';
import type { ResourceClient } from './resource-client.ts';
import type { TransportOptions } from './transport.ts';

export interface Machine extends KubernetesObject {
  readonly spec: { readonly cpus: number };
}

const machines: KindReference<Machine> = {
  group: 'example.dev',
  version: 'v1',
  kind: 'Machine',
  plural: 'machines',
  isNamespaced: true,
};

/** A client of machines whose server answers as it is told. */
export interface MachineWorld extends AsyncDisposable {
  readonly machines: ResourceClient<Machine>;
  readonly requests: FakeServer['requests'];
  /** Each request as one line. */
  seen(): readonly string[];
}

export async function startWorld(answer: Answer, options: Partial<TransportOptions> = {}): Promise<MachineWorld> {
  const server = await startFakeServer(answer);
  const client = new KubeClient({ config: server.config, userAgent: 'test/1', maxAttempts: 1, ...options });
  return {
    machines: client.resource(machines),
    requests: server.requests,
    seen: () => server.requests.map(({ method, path, query }) => `${method} ${path}?${query.toString()}`),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function machine(name: string, resourceVersion: string): Machine {
  return { apiVersion: 'example.dev/v1', kind: 'Machine', metadata: { name, resourceVersion }, spec: { cpus: 1 } };
}

/** A line of a watch. */
export function event(type: string, name: string, resourceVersion: string): string {
  return JSON.stringify({ type, object: machine(name, resourceVersion) });
}

/** All events of a watch that ends. */
export async function collect(
  batches: AsyncIterable<readonly WatchEvent<Machine>[]>,
): Promise<readonly WatchEvent<Machine>[]> {
  const all: WatchEvent<Machine>[] = [];
  for await (const events of batches) all.push(...events);
  return all;
}

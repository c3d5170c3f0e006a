import { setTimeout as delay } from 'node:timers/promises';

import type { KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { messageOf } from '@smalt/service-runtime';
import type { NodeUsage } from '@smalt/vm-api';

import { watchObjects } from '../output/watch-objects.ts';
import { printableText } from '../printable-text.ts';
import { readTelemetry, refusalIn } from '../telemetry/read-telemetry.ts';
import { readNodeUsage } from '../telemetry/read-usage.ts';
import type { TopHost, TopState } from './top-view.ts';
import { nodeRates, type NodeRates } from './usage-rates.ts';

/** A Node, as far as this looks at it. */
interface TopNode extends KubernetesObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const topNodeKind: KindReference<TopNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

const HANDLER_ANNOTATION = 'smalt.dev/virt-handler-url';
const AGAIN_MS = 5_000;

interface HostFeed {
  readonly stop: AbortController;
  rates: NodeRates | undefined;
  trouble: string | undefined;
  /** Whether its rates are of two messages, so that they are rates at all. */
  isReady: boolean;
}

/**
 * What all hosts with a handler use, by one stream for each; hosts that come are taken in, those that go are dropped. Nodes are
 * watched, and what they use is told by them.
 */
export class FleetUsage implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #feeds = new Map<string, HostFeed>();
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #nodes: readonly TopNode[] = [];
  #isKnown = false;
  #failure: Error | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(client: KubeClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#run(this.#watchNodes());
  }

  /** Whether each host has told enough, or has said why it does not. */
  get isReady(): boolean {
    return this.#isKnown && [...this.#feeds.values()].every(({ isReady, trouble }) => isReady || trouble !== undefined);
  }

  get state(): TopState {
    const hosts = this.#nodes.map((node): TopHost => {
      const feed = this.#feeds.get(node.metadata.name);
      return {
        name: node.metadata.name,
        state: stateOf(node),
        rates: feed?.rates?.host,
        machines: feed?.rates?.machines.length ?? 0,
        trouble: feed?.trouble,
      };
    });
    return { hosts, machines: [...this.#feeds.values()].flatMap(({ rates }) => rates?.machines ?? []) };
  }

  /** Resolves when something has changed since the last call, or when the signal fires. Throws when nodes cannot be watched. */
  async next(): Promise<void> {
    await this.#changed.promise;
    if (this.#signal.aborted) return;
    if (this.#failure !== undefined) throw this.#failure;
    this.#changed = Promise.withResolvers();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
  }

  #run(work: Promise<void>): void {
    const settled = work
      .catch((error: unknown) => {
        this.#failure ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        this.#running.delete(settled);
        this.#changed.resolve();
      });
    this.#running.add(settled);
  }

  async #watchNodes(): Promise<void> {
    for await (const { objects } of watchObjects(this.#client.resource(topNodeKind), {}, this.#signal)) {
      const ours = [...objects.values()].filter(isOurs);
      this.#nodes = ours.toSorted((one, other) => one.metadata.name.localeCompare(other.metadata.name));
      this.#isKnown = true;
      this.#adjust(new Set(ours.map(({ metadata }) => metadata.name)));
      this.#changed.resolve();
    }
  }

  #adjust(wanted: ReadonlySet<string>): void {
    for (const [name, feed] of this.#feeds) {
      if (wanted.has(name)) continue;
      feed.stop.abort();
      this.#feeds.delete(name);
    }
    for (const name of wanted) {
      if (this.#feeds.has(name)) continue;
      const feed: HostFeed = { stop: new AbortController(), rates: undefined, trouble: undefined, isReady: false };
      this.#feeds.set(name, feed);
      this.#run(this.#feed(name, feed));
    }
  }

  async #feed(name: string, feed: HostFeed): Promise<void> {
    const signal = AbortSignal.any([this.#signal, feed.stop.signal]);
    while (!signal.aborted) {
      try {
        await this.#read(name, feed, signal);
        feed.trouble = 'it stopped telling; trying again';
      } catch (error) {
        feed.trouble = troubleIn(error);
      }
      feed.rates = undefined;
      feed.isReady = false;
      this.#changed.resolve();
      await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #read(name: string, feed: HostFeed, signal: AbortSignal): Promise<void> {
    let before: NodeUsage | undefined;
    for await (const message of readTelemetry(this.#client, { path: ['nodes', name, 'usage'] }, signal)) {
      const usage = readNodeUsage(message);
      feed.rates = nodeRates(name, before, usage);
      feed.isReady = before !== undefined;
      feed.trouble = undefined;
      before = usage;
      this.#changed.resolve();
    }
  }
}

function troubleIn(error: unknown): string {
  const refused = refusalIn(error);
  if (refused === undefined) return printableText(messageOf(error));
  const next = refused.status === 403 ? ': ask for the role kubevirt.io:nodes' : '';
  return `${printableText(refused.message)}${next}`;
}

function isOurs({ metadata }: TopNode): boolean {
  return metadata.annotations?.[HANDLER_ANNOTATION] !== undefined;
}

function stateOf({ spec, status }: TopNode): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
  const words = [ready === 'True' ? 'Ready' : 'NotReady', ...(spec?.unschedulable === true ? ['Closed'] : [])];
  return words.join(',');
}

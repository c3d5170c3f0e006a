import { isDeepStrictEqual } from 'node:util';

import { leaseKind, type Clock, type Lease } from '@smalt/controller-runtime';
import { isConflict, isNotFound, type KubeClient } from '@smalt/kube';
import { microTime } from '@smalt/kubernetes';

import type { RunnerMetrics } from '../metrics/runner-metrics.ts';
import { nodeKind, nodeLabels, nodeStatus, type NodeFacts } from './node-object.ts';

const MANAGER = 'smalt-pod-runner';
const LEASE_NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;
/** The status is written that often although nothing has changed, so that its heartbeat means something. */
const STATUS_MS = 300_000;
const RETRY_MS = 1_000;

export interface NodeKeeperOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly metrics: RunnerMetrics;
  readonly heartbeatMs: number;
  readonly readFacts: () => Promise<NodeFacts>;
  /** Whether somebody has deleted the Node. */
  readonly isGone: () => boolean;
  /** Told of what failed; it is tried again. */
  readonly onFailure: (error: unknown) => void;
}

/** Registers the node and keeps it alive in the API: its object, its status and its Lease. */
export class NodeKeeper {
  readonly #options: NodeKeeperOptions;
  #written: { readonly facts: NodeFacts; readonly at: number } | undefined;
  #uid: string | undefined;
  /** As the last write left it. */
  #lease: Lease | undefined;

  constructor(options: NodeKeeperOptions) {
    this.#options = options;
  }

  /** Whether the node was registered. */
  get isRegistered(): boolean {
    return this.#written !== undefined;
  }

  /** Works until the signal fires; what fails is tried again soon, for a node that is silent counts as lost. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, heartbeatMs, readFacts, onFailure } = this.#options;
    while (!signal.aborted) {
      let pauseMs = heartbeatMs;
      try {
        const facts = await readFacts();
        await this.#writeNode(facts, signal);
        await this.#renew(facts.nodeName, signal);
      } catch (error) {
        if (signal.aborted) return;
        onFailure(error);
        pauseMs = Math.min(heartbeatMs, RETRY_MS);
      }
      await clock.wait(pauseMs, signal).catch(() => undefined);
    }
  }

  async #writeNode(facts: NodeFacts, signal: AbortSignal): Promise<void> {
    const { client, clock, isGone } = this.#options;
    const { nodeName } = facts;
    const isFresh = this.#written !== undefined && clock.now() - this.#written.at < STATUS_MS;
    if (isFresh && !isGone() && isDeepStrictEqual(this.#written?.facts, facts)) return;
    const nodes = client.resource(nodeKind);
    const options = { fieldManager: MANAGER, force: true, signal };
    const node = await nodes.apply(nodeName, { metadata: { labels: nodeLabels(facts) } }, options);
    this.#uid = node.metadata.uid;
    await nodes.applyStatus(nodeName, nodeStatus(facts, node, new Date(clock.now())), options);
    this.#written = { facts, at: clock.now() };
  }

  async #renew(nodeName: string, signal: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#options;
    const now = clock.now();
    const renewTime = microTime(now);
    this.#lease = (await this.#goOn(renewTime, signal)) ?? (await this.#begin(nodeName, renewTime, signal));
    metrics.setHeartbeat(now / 1000);
  }

  /** Puts the new time into the Lease of this node; undefined where there is none, or somebody else has touched it. */
  async #goOn(renewTime: string, signal: AbortSignal): Promise<Lease | undefined> {
    const lease = this.#lease;
    if (lease === undefined || lease.metadata.ownerReferences?.[0]?.uid !== this.#uid) return undefined;
    const options = { namespace: LEASE_NAMESPACE, fieldManager: MANAGER, signal };
    try {
      // To apply it would cost the server twice as much, and this is what nodes ask for most.
      const renewed = { ...lease, spec: { ...lease.spec, renewTime } };
      return await this.#options.client.resource(leaseKind).replace(renewed, options);
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #begin(nodeName: string, renewTime: string, signal: AbortSignal): Promise<Lease> {
    const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: this.#uid };
    const fields = {
      metadata: { ownerReferences: this.#uid === undefined ? [] : [owner] },
      spec: { holderIdentity: nodeName, leaseDurationSeconds: LEASE_SECONDS, renewTime },
    };
    const options = { namespace: LEASE_NAMESPACE, fieldManager: MANAGER, force: true, signal };
    return await this.#options.client.resource(leaseKind).apply(nodeName, fields, options);
  }
}

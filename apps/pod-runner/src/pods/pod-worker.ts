import { done, requeueAfter, type Clock, type Outcome } from '@smalt/controller-runtime';
import { isConflict, isNotFound, type ResourceClient } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import type { KnownCluster } from '../cluster/known-cluster.ts';
import type { RunnerMetrics } from '../metrics/runner-metrics.ts';
import { refusalOf } from './check-pod.ts';
import { decidePod, type PodStep } from './decide-pod.ts';
import { endedStatus, runningStatus, waitingStatus } from './pod-status.ts';
import type { RunnerPod, RunnerPodStatus } from './pod.ts';
import { judgeStartFailure } from './start-failure.ts';
import { startPod, type StartDependencies } from './start-pod.ts';
import { StatusTeller } from './status-teller.ts';

export interface WorkerOptions extends StartDependencies {
  readonly nodeName: string;
  readonly address: string;
  readonly pods: ResourceClient<RunnerPod>;
  readonly cluster: Pick<KnownCluster, 'check'>;
  readonly cache: { get(key: string): RunnerPod | undefined; list(): readonly RunnerPod[] };
  readonly logger: Logger;
  readonly metrics: RunnerMetrics;
  readonly clock: Clock;
}

/** Carries out what is decided for the pods of this node. */
export class PodWorker {
  readonly #options: WorkerOptions;
  readonly #teller: StatusTeller;
  /** How often pods could not be started, by their uids. */
  readonly #attempts = new Map<string, number>();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#teller = new StatusTeller(options.pods);
  }

  /** The keys of pods that wait for something that may have come. */
  get waiting(): readonly string[] {
    const pods = this.#options.cache.list().filter(({ metadata }) => this.#attempts.has(metadata.uid ?? ''));
    return pods.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`);
  }

  /** Looks at one pod and does what is missing. */
  async reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const { cache, local, nodeName, clock } = this.#options;
    const cached = cache.get(key);
    const uid = cached?.metadata.uid ?? '';
    for (const other of local.uidsOf(key)) if (other !== uid) await this.#forget(other, signal);
    if (cached === undefined || cached.spec.nodeName !== nodeName) return done;
    const pod = this.#teller.newest(cached);
    const step = decidePod({
      pod,
      local: await local.state(uid),
      refusal: refusalOf(pod),
      stoppingForMs: await local.stoppingForMs(uid, clock),
    });
    return await this.#carryOut(step, pod, signal);
  }

  /** Ends all that is here of pods that the API does not know any more. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { local, cache } = this.#options;
    const known = new Set(cache.list().map(({ metadata }) => metadata.uid));
    for (const uid of local.uids) if (!known.has(uid)) await this.#forget(uid, signal);
  }

  async #carryOut(step: PodStep, pod: RunnerPod, signal: AbortSignal): Promise<Outcome> {
    const { local, clock } = this.#options;
    const { uid = '' } = pod.metadata;
    switch (step.kind) {
      case 'nothing':
        return done;
      case 'start':
        return await this.#start(pod, signal);
      case 'tell-running':
        await this.#tell(pod, (facts) => runningStatus(pod, facts), signal);
        return done;
      case 'tell-ended':
        await local.kill(uid, signal);
        await this.#tell(pod, (facts) => endedStatus(pod, step.exit, facts), signal);
        return done;
      case 'stop':
        await local.stop(uid, clock);
        return requeueAfter(0);
      case 'wait':
        return requeueAfter(step.forMs);
      case 'kill':
        await local.kill(uid, signal);
        return done;
      case 'finish-deletion':
        await this.#finishDeletion(pod, signal);
        return done;
    }
  }

  async #start(pod: RunnerPod, signal: AbortSignal): Promise<Outcome> {
    const { metrics, clock } = this.#options;
    const { uid = '' } = pod.metadata;
    const startedAt = clock.monotonic();
    try {
      await startPod(this.#options, pod, signal);
    } catch (error) {
      signal.throwIfAborted();
      return await this.#explain(pod, error, signal);
    }
    metrics.countStart('started', clock.monotonic() - startedAt);
    this.#attempts.delete(uid);
    await this.#tell(pod, (facts) => runningStatus(pod, facts), signal);
    return done;
  }

  async #explain(pod: RunnerPod, error: unknown, signal: AbortSignal): Promise<Outcome> {
    const { metrics, logger } = this.#options;
    const { uid = '', namespace, name } = pod.metadata;
    const attempt = (this.#attempts.get(uid) ?? 0) + 1;
    this.#attempts.set(uid, attempt);
    metrics.countStart('failed', undefined);
    const failure = judgeStartFailure(error, attempt);
    switch (failure.kind) {
      case 'unexplained':
        throw error;
      case 'refused': {
        const exit = { exitCode: 128, reason: failure.reason, message: failure.message };
        await this.#options.local.kill(uid, signal);
        await this.#tell(pod, (facts) => endedStatus(pod, exit, facts), signal);
        return done;
      }
      case 'waiting':
        logger.warn({ pod: `${namespace ?? ''}/${name}`, reason: failure.reason, error }, 'a pod cannot start yet');
        await this.#tell(pod, (facts) => waitingStatus(pod, failure, facts), signal);
        return requeueAfter(failure.againInMs);
    }
  }

  async #tell(
    pod: RunnerPod,
    make: (facts: { readonly now: Date; readonly address: string; readonly startedAt: Date }) => RunnerPodStatus,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, address, metrics } = this.#options;
    const now = new Date(clock.now());
    const running = pod.status?.containerStatuses?.[0]?.state?.running?.startedAt;
    const startedAt = running === undefined ? now : new Date(running);
    if (await this.#teller.tell(pod, make({ now, address, startedAt }), signal)) metrics.countStatusWrite();
  }

  async #finishDeletion(pod: RunnerPod, signal: AbortSignal): Promise<void> {
    const { pods, local } = this.#options;
    const { name, namespace, uid = '' } = pod.metadata;
    await local.remove(uid, signal);
    this.#attempts.delete(uid);
    this.#teller.forget(uid);
    try {
      await pods.delete(name, { namespace, uid, gracePeriodSeconds: 0, signal });
    } catch (error) {
      // Gone already, and perhaps another one has its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #forget(uid: string, signal: AbortSignal): Promise<void> {
    // A cache may be behind, and an API server that has lost its data knows nobody: neither is a reason to end a guest.
    if (await this.#isThere(uid, signal)) return;
    await this.#options.cluster.check(signal);
    this.#options.logger.info({ uid }, 'the pod is gone from the API: ending what is left of it here');
    await this.#options.local.remove(uid, signal);
    this.#attempts.delete(uid);
    this.#teller.forget(uid);
  }

  async #isThere(uid: string, signal: AbortSignal): Promise<boolean> {
    const { pods, local, nodeName } = this.#options;
    const [namespace = '', name] = local.keyOf(uid)?.split('/') ?? [];
    if (name === undefined) {
      const fieldSelector = { requirements: [{ field: 'spec.nodeName', isEqual: true, value: nodeName }] };
      const { items } = await pods.list({ fieldSelector, signal });
      return items.some(({ metadata }) => metadata.uid === uid);
    }
    try {
      return (await pods.get(name, { namespace, signal })).metadata.uid === uid;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}

import { WakeUp, withCondition, type Clock, type Obstacle } from '@smalt/controller-runtime';
import { hypervisorKind } from '@smalt/fleet-api';
import type { Fields, KubeClient } from '@smalt/kube';
import { isNotFound } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import { CONFLICT_TYPE, decideNotice, STALE_MS } from './decide-notice.ts';
import type { HypervisorView } from './hypervisor-view.ts';

/** Not that of the reporting agent: each leaves alone what the other says. */
const FIELD_MANAGER = 'smalt-node-agent-waiting';
const RETRY_MS = 5_000;
/** However much agents disagree, one writes no more often than this. */
const PAUSE_MS = 2_000;

// Not imported: an import of the module runs all its getters, which load worker threads.
const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

export interface ConflictNoticeParts {
  readonly client: KubeClient;
  readonly hypervisor: HypervisorView;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Who we are, as `printIdentity` says it. */
  readonly identity: string;
}

/** Tells on the Hypervisor that this agent does not report, and why, and takes it back. */
export class ConflictNotice {
  readonly #parts: ConflictNoticeParts;
  readonly #changed: WakeUp;
  #obstacle: Obstacle | undefined;
  #isStated = false;

  constructor(parts: ConflictNoticeParts) {
    this.#parts = parts;
    this.#changed = new WakeUp(parts.clock);
  }

  /** What keeps us from reporting; `undefined` when nothing does. */
  setObstacle(obstacle: Obstacle | undefined): void {
    if (isDeepStrictEqual(this.#obstacle, obstacle)) return;
    this.#obstacle = obstacle;
    this.#log(obstacle);
    this.#changed.ring();
  }

  /** Keeps the condition as it should be until the signal fires, and takes it back then. */
  async run(signal: AbortSignal): Promise<void> {
    const { hypervisor, clock } = this.#parts;
    const stop = hypervisor.onChange(() => this.#changed.ring());
    let outcome: Outcome = 'unchanged';
    while (!signal.aborted) {
      if (outcome === 'written') await clock.wait(PAUSE_MS, signal).catch(() => undefined);
      await this.#changed.wait(outcome === 'failed' ? RETRY_MS : STALE_MS, signal);
      if (!signal.aborted) outcome = await this.#bring(signal);
    }
    stop();
    this.#obstacle = undefined;
    if (this.#isStated) await this.#bring(AbortSignal.timeout(2_000));
  }

  async #bring(signal: AbortSignal): Promise<Outcome> {
    const { hypervisor, logger } = this.#parts;
    const status = this.#wanted();
    const name = hypervisor.current?.metadata.name;
    if (status === undefined || name === undefined) return 'unchanged';
    try {
      const options = { fieldManager: FIELD_MANAGER, force: true, signal };
      await this.#parts.client.resource(hypervisorKind).applyStatus(name, status, options);
      this.#isStated = this.#obstacle !== undefined;
      return 'written';
    } catch (error) {
      if (isNotFound(error)) return 'unchanged';
      logger.debug({ error }, 'the conflict of two agents cannot be told');
      return 'failed';
    }
  }

  /** What to apply, or nothing when all is as it should be. */
  #wanted(): Fields | undefined {
    const { hypervisor, identity, clock } = this.#parts;
    const { current } = hypervisor;
    const notice = current?.status?.conditions?.find(({ type }) => type === CONFLICT_TYPE);
    const now = clock.now();
    const nodeName = current?.metadata.name ?? '';
    const step = decideNotice({
      obstacle: this.#obstacle,
      notice,
      isStated: this.#isStated,
      nodeName,
      identity,
      now,
    });
    switch (step.kind) {
      case 'nothing':
        return undefined;
      case 'clear':
        return {};
      case 'state': {
        const context = { generation: current?.metadata.generation, now: new Date(now) };
        return { conditions: withCondition(notice === undefined ? [] : [notice], step.statement, context) };
      }
    }
  }

  #log(obstacle: Obstacle | undefined): void {
    const { logger, identity } = this.#parts;
    switch (obstacle?.kind) {
      case undefined:
        logger.info({}, 'nothing keeps this agent from reporting any more');
        return;
      case 'rival':
        logger.warn({ reporting: obstacle.identity, waiting: identity }, 'another agent reports on this node; waiting');
        return;
      case 'refused':
        logger.warn(
          { lease: obstacle.lease, reason: obstacle.reason },
          'this agent may not keep the Lease of the node, so it does not report: let it get, create and update Leases',
        );
    }
  }
}

type Outcome = 'unchanged' | 'written' | 'failed';

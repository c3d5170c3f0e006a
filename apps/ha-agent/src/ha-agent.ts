import { randomUUID } from 'node:crypto';

import { HaAgentRun } from './ha-agent-run.ts';
import type { HaAgentDeps } from './ha-agent-deps.ts';
import { telemetryUrl } from './ha-agent-settings.ts';
import { declareHaMetrics } from './ha-metrics.ts';

/** The agent: it has the shape of a part of the node agent, and runs alone as well. */
export interface HaAgent {
  readonly name: string;
  /** Works until the signal fires, and returns within two seconds then. */
  run(signal: AbortSignal): Promise<void>;
}

/** Makes the agent, declares its metrics and adds its health check: once in a process. Settings that cannot work are refused here. */
export function createHaAgent(deps: HaAgentDeps): HaAgent {
  const { service } = deps.settings;
  if (service !== undefined) telemetryUrl(service, deps.nodeName);
  const metrics = declareHaMetrics(deps.metrics);
  const agent = randomUUID();
  let current: HaAgentRun | undefined;
  deps.metrics.onCollect(() => current?.collect());
  deps.health.add({
    name: 'ha-agent',
    kinds: ['readyz'],
    check: () => {
      if (current?.isWatching !== true) throw new Error('the events of the domains are not watched yet');
    },
  });
  return {
    name: 'ha-agent',
    run: async (signal) => {
      await using run = await HaAgentRun.start(deps, metrics, agent);
      current = run;
      try {
        await run.untilAborted(signal);
      } finally {
        current = undefined;
      }
    },
  };
}

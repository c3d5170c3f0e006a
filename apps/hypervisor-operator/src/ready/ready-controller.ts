import { done, requeueAfter, type ControllerOptions } from '@smalt/controller-runtime';
import { HypervisorConditionType } from '@smalt/fleet-api';
import { lifecycleStateOf, readinessOf, type Readiness } from '@smalt/hypervisor-lifecycle';

import { hypervisorController, type HypervisorControllerContext } from '../frame/controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { StatedCondition } from '../frame/owned-status.ts';
import { NetworkReader } from './network-reader.ts';
import type { ReadySettings } from './ready-settings.ts';

export type ReadyContext = HypervisorControllerContext & Pick<OperatorContext, 'ovsNodes'>;

/** Sums up what all others say of a hypervisor: whether it can be used, and where it is in its life. */
export function createReadyController(context: ReadyContext, settings: ReadySettings): ControllerOptions {
  const { ovsNodes, clock } = context;
  const isNetworkKnown = ovsNodes !== undefined && settings.followsNetwork;
  const networks = isNetworkKnown ? new NetworkReader(ovsNodes) : undefined;
  return hypervisorController(context, {
    name: 'ready',
    conditionTypes: [HypervisorConditionType.ready],
    fieldNames: ['lifecycleState'],
    concurrency: settings.concurrency,
    sources: networks === undefined ? [] : [networks.source],
    reconcile: async ({ hypervisor, state }) => {
      const network = networks?.on(hypervisor.metadata.name);
      const readiness = readinessOf({ hypervisor, network, nowMs: clock.now() }, settings);
      const lifecycleState = lifecycleStateOf(hypervisor, readiness.isReady);
      await state({ fields: { lifecycleState }, conditions: [readyCondition(readiness)] });
      return readiness.againInMs === undefined ? done : requeueAfter(readiness.againInMs);
    },
  });
}

function readyCondition({ isReady, reason, message, isWarning }: Readiness): StatedCondition {
  return { type: HypervisorConditionType.ready, status: isReady ? 'True' : 'False', reason, message, isWarning };
}

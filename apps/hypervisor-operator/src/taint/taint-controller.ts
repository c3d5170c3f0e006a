import { done, type ControllerOptions } from '@smalt/controller-runtime';
import { HypervisorConditionType } from '@smalt/fleet-api';

import { hypervisorController, type HypervisorControllerContext } from '../frame/controller-of-hypervisors.ts';
import { decideTaint } from './decide-taint.ts';
import type { TaintSettings } from './taint-settings.ts';

/** Shows which hypervisors were changed by hand, so that a person knows that they may differ from what is declared. */
export function createTaintController(
  context: HypervisorControllerContext,
  settings: TaintSettings,
): ControllerOptions {
  return hypervisorController(context, {
    name: 'HypervisorTaint',
    conditionTypes: [HypervisorConditionType.tainted],
    concurrency: settings.concurrency,
    reconcile: async ({ hypervisor, state }) => {
      const condition = decideTaint(hypervisor, settings);
      if (condition !== undefined) await state({ conditions: [condition] });
      return done;
    },
  });
}

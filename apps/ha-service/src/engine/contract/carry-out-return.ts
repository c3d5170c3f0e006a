import type { ComputeHost } from '@smalt/compute';
import type { ReturnStep } from '@smalt/failure-detection';

import { isLeadLost } from '../../ha-service-error.ts';
import { order, type EngineContext } from '../engine-context.ts';
import type { HeldMarks } from './held-marks.ts';

type StepContext = Pick<EngineContext, 'ports' | 'settings'> & { readonly marks: HeldMarks };

/** A host as the compute system has it, and what the fleet calls it. */
export interface ReturningHost {
  readonly host: ComputeHost;
  readonly name: string;
}

/** Carries out one step of a host's return. */
export async function carryOutReturn(
  context: StepContext,
  step: ReturnStep,
  { host, name }: ReturningHost,
  signal: AbortSignal,
): Promise<void> {
  const { compute, cluster, store } = context.ports;
  switch (step.kind) {
    case 'hold':
    case 'wait':
      return;
    case 'clear-forced-down':
      return await order(context, { what: 'taking back that it is dead' }, signal, (inner) =>
        compute.hosts.clearForcedDown(host, inner),
      );
    case 'enable':
      return await order(context, { what: 'enabling it' }, signal, (inner) => compute.hosts.enable(host, inner));
    case 'clear-maintenance':
      return await order(context, { what: 'clearing spec.maintenance' }, signal, (inner) =>
        cluster.setMaintenance(name, '', inner),
      );
    case 'returned':
      await releasePower(context, name, signal);
      await order(context, { what: 'letting it go' }, signal, (inner) => store.hosts.hold(name, undefined, inner));
      return await context.marks.remove(name, signal);
  }
}

/** What is left of the order to power off would do no harm for now; the next order clears it away too. */
async function releasePower(context: StepContext, name: string, signal: AbortSignal): Promise<void> {
  const { power, ignore } = context.ports;
  try {
    await order(context, { what: 'taking back the order to power off' }, signal, async (inner) =>
      power.release?.(name, inner),
    );
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    ignore(
      error,
      'the order to power a host off could not be taken back; its ServerMaintenance has to be deleted by hand',
    );
  }
}

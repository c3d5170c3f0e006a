import type { SubresourceDecision } from '@smalt/vm-admission';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { carryOut } from './carry-out.ts';
import { readOptions, type OptionBodies } from './read-options.ts';
import { requireMachine } from './required-objects.ts';
import type { SubresourceAnswer } from './subresource-answer.ts';
import type { SubresourceCall, SubresourceDeps } from './subresource-call.ts';

type PowerBody = 'StartOptions' | 'StopOptions' | 'RestartOptions' | 'MigrateOptions';

/** What is asked for, with which body, and what it leads to. */
export interface PowerAction<Body extends PowerBody> {
  readonly body: Body;
  readonly decide: (
    machine: VirtualMachine,
    instance: VirtualMachineInstance | undefined,
    options: OptionBodies[Body],
  ) => SubresourceDecision;
}

/** Starts, stops, restarts or moves a virtual machine. */
export async function actOnPower<Body extends PowerBody>(
  deps: SubresourceDeps,
  { request, body, signal }: SubresourceCall,
  action: PowerAction<Body>,
): Promise<SubresourceAnswer> {
  const options = readOptions(action.body, body);
  const [machine, instance] = await Promise.all([
    requireMachine(deps, request, signal),
    deps.objects.instance(request, signal),
  ]);
  const decision = action.decide(machine, instance, options);
  const { dryRun = [] } = options;
  const how = { dryRun: dryRun.includes('All'), signal };
  await carryOut(deps.objects, { decision, key: request, kind: 'virtualmachine', how });
  return { code: 202 };
}

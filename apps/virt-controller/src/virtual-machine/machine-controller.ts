import {
  AwaitedWrites,
  awaitWrite,
  done,
  keyOf,
  mappedSource,
  ownedSource,
  requeueAfter,
  source,
  type ControllerOptions,
  type ObjectKey,
  type Outcome,
} from '@smalt/controller-runtime';
import { virtualMachineKind, type VirtualMachine } from '@smalt/vm-api';
import { decideVirtualMachine, type VirtualMachineFacts } from '@smalt/vm-lifecycle';

import { isControlledBy } from '../frame/controller-of.ts';
import { IndexName } from '../frame/index-names.ts';
import { isOvertaken } from '../frame/is-overtaken.ts';
import { problemOf, type Problem } from '../frame/problem-of.ts';
import { writeStatus } from '../frame/write-status.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { actOnMachine, type MachineActing } from './act-on-machine.ts';
import { forgetRevision } from './create-revision.ts';
import { keepChoices, type KeepPlan } from './keep-choices.ts';
import { KeptSpecs } from './kept-specs.ts';
import { choiceSources, planOf, templated, type ChosenMachine } from './machine-choices.ts';
import { machineStorage, missingTemplates } from './machine-storage.ts';
import { StartedSpecs } from './started-specs.ts';

const CONCURRENCY = 16;
const LOOK_MS = 30_000;

/** Makes every virtual machine run, or not, as its run strategy and the orders of people say. */
export function createMachineController(context: VirtControllerContext): ControllerOptions {
  const { machines, instances, claims, client, clock } = context;
  const acting: MachineActing = {
    ...context,
    written: new AwaitedWrites(machines, clock),
    writtenInstances: new AwaitedWrites(instances, clock),
  };
  const specs = { started: new StartedSpecs(client), kept: new KeptSpecs(client) };
  return {
    name: 'virtual-machine',
    sources: [
      source(machines),
      ownedSource(instances, virtualMachineKind),
      mappedSource(claims, ({ key }) => machines.cache.byIndex(IndexName.claim, key).map(keyOf)),
      ...choiceSources(context),
    ],
    concurrency: CONCURRENCY,
    reconcile: async (key, signal) => {
      const vm = machines.cache.get(key);
      if (vm === undefined) return done;
      if (acting.written.isBehind(key) || acting.writtenInstances.isBehind(key)) return awaitWrite;
      const choices = planOf(context, vm);
      const factsWith = (problem?: Problem) => machineFacts(context, specs, { vm, problem }, signal);
      return await orAwait(acting, async () => {
        if (choices.kind === 'keep') return await keepOrTell(acting, vm, choices, { factsWith, signal });
        const facts = await factsWith(choices.kind === 'problem' ? choices.problem : undefined);
        return await pass(acting, vm, facts, signal);
      });
    },
  };
}

interface Telling {
  readonly factsWith: (problem: Problem) => Promise<VirtualMachineFacts>;
  readonly signal: AbortSignal;
}

/** Keeps what the machine has chosen, and starts nothing before that is seen; what stands against it is told. */
async function keepOrTell(
  acting: MachineActing,
  vm: VirtualMachine,
  plan: KeepPlan,
  { factsWith, signal }: Telling,
): Promise<Outcome> {
  try {
    await keepChoices(acting, vm, plan, signal);
    return awaitWrite;
  } catch (error) {
    const problem = problemOf(error, 'FailedCreate');
    if (problem === undefined) throw error;
    await pass(acting, vm, await factsWith(problem), signal);
    throw error;
  }
}

interface KnownSpecs {
  readonly started: StartedSpecs;
  readonly kept: KeptSpecs;
}

async function machineFacts(
  { instances, claims, settings, clock, random }: VirtControllerContext,
  specs: KnownSpecs,
  machine: ChosenMachine,
  signal: AbortSignal,
): Promise<VirtualMachineFacts> {
  const { vm, problem: unknown } = await templated(machine, specs.kept, settings, signal);
  const found = instances.cache.get(keyOf(vm));
  // One that somebody else made under the same name is not touched.
  const vmi = found !== undefined && isControlledBy(found, vm) ? found : undefined;
  const startedSpec = await specs.started.find(vm, vmi, signal);
  const findClaim = (key: ObjectKey) => claims.cache.get(key);
  const problem = unknown ?? templateProblem(missingTemplates(vm, findClaim));
  return {
    vm,
    vmi,
    ...(startedSpec === undefined ? {} : { startedSpec }),
    storage: machineStorage(vm, findClaim),
    isTemplateKnown: unknown === undefined,
    ...(problem === undefined ? {} : { problem }),
    rollout: settings.rollout,
    now: clock.now(),
    random: random(),
  };
}

function templateProblem([name]: readonly string[]): Problem | undefined {
  if (name === undefined) return undefined;
  const message = `spec.dataVolumeTemplates: there is no claim ${name} yet; DataVolumes are not made here, so create the claim or have CDI make it`;
  return { reason: 'DataVolumeNotReady', message };
}

async function orAwait(acting: MachineActing, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    acting.ignore(error, 'somebody else was faster; it is looked at again when that is seen');
    return awaitWrite;
  }
}

/** `machine` is as it is stored; in the facts it is as its instances are made from it. */
async function pass(
  acting: MachineActing,
  machine: VirtualMachine,
  facts: VirtualMachineFacts,
  signal: AbortSignal,
): Promise<Outcome> {
  const decision = decideVirtualMachine(facts);
  let vm: VirtualMachine | undefined = machine;
  try {
    for (const action of decision.actions) {
      vm = await actOnMachine(acting, { vm, vmi: facts.vmi }, action, signal);
      if (vm === undefined) return done;
    }
  } catch (error) {
    const problem = problemOf(error, 'FailedCreate');
    if (problem === undefined || vm === undefined) throw error;
    void acting.recorder.record(vm, 'Warning', problem.reason, problem.message);
    const { status } = decideVirtualMachine({ ...facts, problem });
    await writeStatus(acting, virtualMachineKind, { object: vm, status }, signal);
    throw error;
  }
  await writeStatus(acting, virtualMachineKind, { object: vm, status: decision.status }, signal);
  await forgetRevision(acting, machine, decision.status, signal);
  for (const action of decision.afterStatus) await actOnMachine(acting, { vm, vmi: facts.vmi }, action, signal);
  return decision.requeueAfterMs === undefined ? idle(facts) : requeueAfter(decision.requeueAfterMs);
}

/** A copy that is brought back makes no event that is watched. */
function idle({ isTemplateKnown }: VirtualMachineFacts): Outcome {
  return isTemplateKnown === false ? requeueAfter(LOOK_MS) : done;
}

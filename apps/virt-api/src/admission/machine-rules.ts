import { checkRequirements, expandTemplate, preferEarly, validateMatchers } from '@smalt/instance-types';
import type { JsonObject } from '@smalt/json';
import {
  defaultSpec,
  defaultVirtualMachine,
  validateVirtualMachine,
  virtualMachineWarnings,
  type Cause,
  type VirtualMachineAdmission,
} from '@smalt/vm-admission';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { NOTHING_WRONG, type AdmissionDeps, type AdmissionRules, type Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { findChosen, findSpec, hasChosen, inferMatchers } from './chosen-specs.ts';
import { driverRefusals } from './driver-rules.ts';
import { asJson, asKnown } from './object-shapes.ts';
import { requesterOf } from './requester-of.ts';

/** The rules for virtual machines. */
export const machineRules: AdmissionRules = { mutate, validate };

function mutate(
  deps: AdmissionDeps,
  write: AdmissionWrite,
  signal: AbortSignal,
): Promise<JsonObject | undefined> | JsonObject | undefined {
  const { operation, object } = write;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return object;
  const machine = deps.shapes.find('virtualmachines', object);
  if (machine === undefined) return object;
  const isLookedUp = hasChosen(machine) && machine.metadata.deletionTimestamp === undefined;
  if (!isLookedUp) return filledIn(deps, machine, write);
  return chooseEarly(deps, machine, write, signal).then((chosen) => filledIn(deps, chosen, write));
}

function filledIn(
  { settings, now, randomUuid }: AdmissionDeps,
  machine: VirtualMachine,
  { operation, oldObject }: AdmissionWrite,
): JsonObject {
  const old = oldObject === undefined ? undefined : asKnown('virtualmachines', oldObject);
  const context = { settings, now, randomUuid, old, operation: operation === 'CREATE' ? 'create' : 'update' } as const;
  return asJson(defaultVirtualMachine(machine, context));
}

/** What comes from instance types and preferences before anything else is filled in. */
async function chooseEarly(
  { reader }: AdmissionDeps,
  machine: VirtualMachine,
  { namespace }: AdmissionWrite,
  signal: AbortSignal,
): Promise<VirtualMachine> {
  const { machine: inferred } = await inferMatchers(reader, placed(machine, namespace), signal);
  const preference = await findSpec(reader, 'preference', inferred, signal);
  const early = preference === undefined ? inferred : preferEarly(inferred, preference);
  return { ...early, metadata: machine.metadata };
}

async function validate(deps: AdmissionDeps, write: AdmissionWrite, signal: AbortSignal): Promise<Verdict> {
  const { operation, object, oldObject, namespace, user } = write;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
  const machine = placed(asKnown('virtualmachines', object), namespace);
  const old = oldObject === undefined ? undefined : asKnown('virtualmachines', oldObject);
  const instance = await instanceOf(deps, machine, signal);
  const context = {
    settings: deps.settings,
    requester: requesterOf(user, deps.controlPlane),
    refusalsOf: driverRefusals,
    ...(instance === undefined ? {} : { instance }),
  };
  const warnings = virtualMachineWarnings(machine);
  if (!hasChosen(machine) || machine.metadata.deletionTimestamp !== undefined) {
    return { causes: validateVirtualMachine(machine, old, context), warnings };
  }
  const verdict = await validateChosen(deps, { machine, old, context }, signal);
  return { causes: verdict.causes, warnings: [...warnings, ...(verdict.warnings ?? [])] };
}

interface JudgedMachine {
  readonly machine: VirtualMachine;
  readonly old: VirtualMachine | undefined;
  readonly context: VirtualMachineAdmission;
}

/** A machine is judged by what its instance type and preference make of it. One that is not there yet makes nothing. */
async function validateChosen(
  { reader, settings }: AdmissionDeps,
  { machine, old, context }: JudgedMachine,
  signal: AbortSignal,
): Promise<Verdict> {
  const { problems } = await inferMatchers(reader, machine, signal);
  const wrong = [...validateMatchers(machine, old), ...problems.map(inferenceCause)];
  const { spec, ...template } = machine.spec.template ?? {};
  if (wrong.length > 0 || spec === undefined) {
    return { causes: [...wrong, ...validateVirtualMachine(machine, old, context)] };
  }
  const { chosen, missing: warnings } = await findChosen(reader, machine, signal);
  const expansion = expandTemplate({ ...template, spec }, chosen, settings);
  if (expansion.kind === 'conflict') return { causes: expansion.causes, warnings };
  const causes = [
    ...checkRequirements(chosen, defaultSpec(expansion.template.spec, settings)),
    ...validateVirtualMachine(machine, old, { ...context, template: expansion.template }),
  ];
  return { causes, warnings };
}

function inferenceCause({ part, message }: { readonly part: string; readonly message: string }): Cause {
  const field = `spec.${part}.inferFromVolume`;
  return { type: 'FieldValueInvalid', field, message, advice: `Set spec.${part}.name instead.` };
}

function placed(machine: VirtualMachine, namespace: string): VirtualMachine {
  return { ...machine, metadata: { ...machine.metadata, namespace } };
}

/** Its instance is looked up for volume requests alone: every other write would wait for nothing. */
async function instanceOf(
  { reader }: AdmissionDeps,
  { metadata, status }: VirtualMachine,
  signal: AbortSignal,
): Promise<VirtualMachineInstance | undefined> {
  if ((status?.volumeRequests ?? []).length === 0) return undefined;
  const instance = await reader.instance({ namespace: metadata.namespace ?? '', name: metadata.name }, signal);
  return instance?.metadata.deletionTimestamp === undefined ? instance : undefined;
}

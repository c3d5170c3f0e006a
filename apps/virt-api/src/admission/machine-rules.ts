import type { JsonObject } from '@smalt/json';
import { defaultVirtualMachine, validateVirtualMachine, virtualMachineWarnings } from '@smalt/vm-admission';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import { NOTHING_WRONG, type AdmissionDeps, type AdmissionRules, type Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { driverRefusals } from './driver-rules.ts';
import { asJson, asKnown } from './object-shapes.ts';
import { requesterOf } from './requester-of.ts';

/** The rules for virtual machines. */
export const machineRules: AdmissionRules = { mutate, validate };

function mutate({ shapes, settings, now, randomUuid }: AdmissionDeps, write: AdmissionWrite): JsonObject | undefined {
  const { operation, object } = write;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return object;
  const machine = shapes.find('virtualmachines', object);
  if (machine === undefined) return object;
  const context = { settings, now, randomUuid, operation: operation === 'CREATE' ? 'create' : 'update' } as const;
  return asJson(defaultVirtualMachine(machine, context));
}

async function validate(deps: AdmissionDeps, write: AdmissionWrite, signal: AbortSignal): Promise<Verdict> {
  const { operation, object, oldObject, namespace, user } = write;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
  const written = asKnown('virtualmachines', object);
  const machine = { ...written, metadata: { ...written.metadata, namespace } };
  const old = oldObject === undefined ? undefined : asKnown('virtualmachines', oldObject);
  const instance = await instanceOf(deps, machine, signal);
  const causes = validateVirtualMachine(machine, old, {
    settings: deps.settings,
    requester: requesterOf(user, deps.controlPlane),
    refusalsOf: driverRefusals,
    ...(instance === undefined ? {} : { instance }),
  });
  return { causes, warnings: virtualMachineWarnings(machine) };
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

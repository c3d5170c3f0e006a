import type { JsonObject } from '@smalt/json';
import {
  applyPresets,
  defaultInstance,
  isControlPlane,
  keepMacSeed,
  keepStatus,
  matchingPresets,
  presetConflicts,
  validateInstance,
  validateInstanceUpdate,
} from '@smalt/vm-admission';

import { NOTHING_WRONG, type AdmissionDeps, type AdmissionRules, type Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { driverRefusals, settingsOfDriver, withDriverDevices } from './driver-rules.ts';
import { asJson, asKnown } from './object-shapes.ts';
import { requesterOf } from './requester-of.ts';

/** The rules for instances. Their status is no subresource, so who is not of the control plane keeps it as it was. */
export const instanceRules: AdmissionRules = { mutate, validate };

function mutate(
  deps: AdmissionDeps,
  write: AdmissionWrite,
  signal: AbortSignal,
): Promise<JsonObject> | JsonObject | undefined {
  const { operation, object, oldObject } = write;
  if (object === undefined) return undefined;
  if (operation === 'CREATE') return filledIn(deps, { ...write, object }, signal);
  if (operation !== 'UPDATE' || oldObject === undefined) return object;
  if (isControlPlane(requesterOf(write.user, deps.controlPlane))) return object;
  const old = asKnown('virtualmachineinstances', oldObject);
  return asJson(keepMacSeed(keepStatus(asKnown('virtualmachineinstances', object), old), old));
}

async function filledIn(
  { shapes, settings, now, randomUuid, presets }: AdmissionDeps,
  { object, namespace }: AdmissionWrite & { readonly object: JsonObject },
  signal: AbortSignal,
): Promise<JsonObject> {
  const plain = shapes.find('virtualmachineinstances', object);
  if (plain === undefined) return object;
  const instance = applyPresets(plain, matchingPresets(plain, await presets.find(namespace, signal)));
  const context = { settings: settingsOfDriver(settings, instance.spec), now, randomUuid };
  return asJson(defaultInstance(withDriverDevices(instance, settings), context));
}

async function validate(
  { settings, controlPlane, presets }: AdmissionDeps,
  write: AdmissionWrite,
  signal: AbortSignal,
): Promise<Verdict> {
  const { operation, object, oldObject, namespace, user } = write;
  if (object === undefined) return NOTHING_WRONG;
  const instance = asKnown('virtualmachineinstances', object);
  const context = { settings, requester: requesterOf(user, controlPlane), refusalsOf: driverRefusals };
  if (operation === 'CREATE') {
    const matching = matchingPresets(instance, await presets.find(namespace, signal));
    return { causes: [...presetConflicts(matching), ...validateInstance(instance, context)] };
  }
  if (operation !== 'UPDATE' || oldObject === undefined) return NOTHING_WRONG;
  return { causes: validateInstanceUpdate(instance, asKnown('virtualmachineinstances', oldObject), context) };
}

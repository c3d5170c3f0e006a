import type { JsonObject } from '@smalt/json';
import {
  defaultInstance,
  isControlPlane,
  keepMacSeed,
  keepStatus,
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

function mutate(deps: AdmissionDeps, write: AdmissionWrite): JsonObject | undefined {
  const { operation, object, oldObject } = write;
  if (object === undefined) return undefined;
  if (operation === 'CREATE') return filledIn(deps, object);
  if (operation !== 'UPDATE' || oldObject === undefined) return object;
  if (isControlPlane(requesterOf(write.user, deps.controlPlane))) return object;
  const old = asKnown('virtualmachineinstances', oldObject);
  return asJson(keepMacSeed(keepStatus(asKnown('virtualmachineinstances', object), old), old));
}

function filledIn({ shapes, settings, now, randomUuid }: AdmissionDeps, object: JsonObject): JsonObject {
  const instance = shapes.find('virtualmachineinstances', object);
  if (instance === undefined) return object;
  const context = { settings: settingsOfDriver(settings, instance.spec), now, randomUuid };
  return asJson(defaultInstance(withDriverDevices(instance, settings), context));
}

function validate({ settings, controlPlane }: AdmissionDeps, write: AdmissionWrite): Verdict {
  const { operation, object, oldObject, user } = write;
  if (object === undefined) return NOTHING_WRONG;
  const instance = asKnown('virtualmachineinstances', object);
  const context = { settings, requester: requesterOf(user, controlPlane), refusalsOf: driverRefusals };
  if (operation === 'CREATE') return { causes: validateInstance(instance, context) };
  if (operation !== 'UPDATE' || oldObject === undefined) return NOTHING_WRONG;
  return { causes: validateInstanceUpdate(instance, asKnown('virtualmachineinstances', oldObject), context) };
}

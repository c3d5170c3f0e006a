import { validateReplicaSet } from '@smalt/vm-admission';

import { NOTHING_WRONG, type AdmissionDeps, type AdmissionRules, type Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { driverRefusals } from './driver-rules.ts';
import { asKnown } from './object-shapes.ts';
import { requesterOf } from './requester-of.ts';

/** The rules for replica sets. One that is being deleted is never held up. */
export const replicaSetRules: AdmissionRules = { validate };

function validate({ settings, controlPlane }: AdmissionDeps, write: AdmissionWrite): Verdict {
  const { operation, object, user } = write;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
  const set = asKnown('virtualmachineinstancereplicasets', object);
  if (set.metadata.deletionTimestamp !== undefined) return NOTHING_WRONG;
  const context = { settings, requester: requesterOf(user, controlPlane), refusalsOf: driverRefusals };
  return { causes: validateReplicaSet(set, context) };
}

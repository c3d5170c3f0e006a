import { validatePool } from '@smalt/vm-admission';

import { NOTHING_WRONG, type AdmissionDeps, type AdmissionRules, type Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { driverRefusals } from './driver-rules.ts';
import { asKnown } from './object-shapes.ts';
import { requesterOf } from './requester-of.ts';

/** The rules for pools. One that is being deleted is never held up. */
export const poolRules: AdmissionRules = { validate };

function validate({ settings, controlPlane }: AdmissionDeps, write: AdmissionWrite): Verdict {
  const { operation, object, oldObject, user } = write;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
  const pool = asKnown('virtualmachinepools', object);
  if (pool.metadata.deletionTimestamp !== undefined) return NOTHING_WRONG;
  const old = oldObject === undefined ? undefined : asKnown('virtualmachinepools', oldObject);
  const context = { settings, requester: requesterOf(user, controlPlane), refusalsOf: driverRefusals };
  return { causes: validatePool(pool, old, context) };
}

import type { RefusalsOf } from '../admission-context.ts';
import { notSupported, type Cause } from '../cause.ts';
import type { SpecScope } from './spec-rule.ts';

/** The instance names a driver that exists, and asks only for what that driver can do. */
export function validateHypervisor({ path, spec, settings }: SpecScope, refusalsOf: RefusalsOf): readonly Cause[] {
  const { defaultHypervisor } = settings;
  const hypervisor = spec.hypervisor === undefined || spec.hypervisor === '' ? defaultHypervisor : spec.hypervisor;
  const refusals = refusalsOf(hypervisor, { spec }, path);
  if (refusals !== undefined) return refusals.map(({ field, message }) => notSupported(field, message));
  const field = `${path}.hypervisor`;
  const advice = `Leave it out for ${defaultHypervisor}, or use a driver that the cluster has.`;
  return [notSupported(field, `${field} is not a known driver: ${hypervisor}`, advice)];
}

import type { RefusalsOf } from '../admission-context.ts';
import { notSupported, type Cause } from '../cause.ts';
import type { SpecScope } from './spec-rule.ts';

/** The instance names a driver that exists and may be chosen here, and asks only for what that driver can do. */
export function validateHypervisor(scope: SpecScope, refusalsOf: RefusalsOf): readonly Cause[] {
  const { path, spec, settings } = scope;
  const hypervisor = chosenHypervisor(scope);
  const refusals = refusalsOf(hypervisor, { spec }, path);
  const field = `${path}.hypervisor`;
  if (refusals === undefined) {
    const advice = `Leave it out for ${settings.defaultHypervisor}, or use a driver that the cluster has.`;
    return [notSupported(field, `${field} is not a known driver: ${hypervisor}`, advice)];
  }
  if (settings.allowedHypervisors.includes(hypervisor)) {
    return refusals.map((each) => notSupported(each.field, each.message));
  }
  const whoCan = `have whoever runs the cluster name ${hypervisor} in machines.allowedHypervisors of virt-api`;
  const advice = `Use ${settings.allowedHypervisors.join(', ')}, or ${whoCan}.`;
  return [notSupported(field, `${field} is not allowed in this cluster: ${hypervisor}`, advice)];
}

/** The settings for what had its driver before: it can still be stopped and changed, but no new instance is made of it. */
export function allowingSameHypervisor(scope: SpecScope, oldHypervisor: string | undefined): SpecScope {
  const { settings } = scope;
  const hypervisor = chosenHypervisor(scope);
  if (oldHypervisor !== hypervisor) return scope;
  const allowedHypervisors = [...settings.allowedHypervisors, hypervisor];
  return { ...scope, settings: { ...settings, allowedHypervisors } };
}

function chosenHypervisor({ spec: { hypervisor = '' }, settings }: SpecScope): string {
  return hypervisor === '' ? settings.defaultHypervisor : hypervisor;
}

import { invalid, required, type Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';
import { HYPERV_DEPENDENCIES, isHypervEnabled } from './hyperv-dependencies.ts';

/** What a Hyper-V feature needs is on too. Defaulting switches it on, so only what was switched off by hand is left. */
export function validateHyperv({ path, spec }: SpecScope): readonly Cause[] {
  const { hyperv, hypervPassthrough } = spec.domain.features ?? {};
  if (hyperv === undefined) return [];
  const field = `${path}.domain.features.hyperv`;
  const unmet = HYPERV_DEPENDENCIES.filter(
    ({ name, needs }) => isHypervEnabled(hyperv, name) && !isHypervEnabled(hyperv, needs),
  );
  return [
    ...unmet.map(({ name, needs }) =>
      invalid(`${field}.${name}`, `'${field}.${name}' requires '${field}.${needs}', which was disabled.`),
    ),
    ...(hyperv.evmcs === undefined || hyperv.evmcs.enabled === false ? [] : validateNestedFeature(path, spec)),
    ...(hypervPassthrough === undefined
      ? []
      : [
          invalid(
            field,
            'Cannot explicitly set hyperV features if HypervPassthrough is being used. Please use either HyperV or HypervPassthrough.',
          ),
        ]),
  ];
}

function validateNestedFeature(path: string, spec: SpecScope['spec']): readonly Cause[] {
  const features = spec.domain.cpu?.features ?? [];
  const field = `${path}.domain.cpu.features`;
  if (features.length === 0) return [required(field, 'vmx cpu feature is required when evmcs is set')];
  return features.flatMap(({ name, policy }, index) =>
    name === 'vmx' && policy !== 'require'
      ? [invalid(`${field}[${index}].policy`, 'vmx cpu feature has to be set to require policy')]
      : [],
  );
}

import { RunStrategy, type VirtualMachineSpec } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';

const STRATEGIES: readonly string[] = Object.values(RunStrategy).filter(
  (strategy) => strategy !== RunStrategy.waitAsReceiver,
);

/** A virtual machine says in one way when it runs. */
export function validateRunStrategy(spec: VirtualMachineSpec, settings: ClusterSettings): readonly Cause[] {
  const { running, runStrategy } = spec;
  const causes: Cause[] = [];
  if (running !== undefined && runStrategy !== undefined) {
    const message =
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead';
    causes.push(invalid('spec.running', message));
  }
  if (running === undefined && runStrategy === undefined) {
    const advice = `Set spec.runStrategy to one of ${STRATEGIES.join(', ')}.`;
    causes.push(invalid('spec.running', 'RunStrategy must be specified', advice));
  }
  return runStrategy === undefined ? causes : [...causes, ...validateStrategy(runStrategy, settings)];
}

function validateStrategy(strategy: string, settings: ClusterSettings): readonly Cause[] {
  const gate = 'DecentralizedLiveMigration';
  if (strategy === RunStrategy.waitAsReceiver) {
    if (isGateOpen(settings, gate)) return [];
    const message = `Invalid RunStrategy (${strategy}), ${gate} feature gate is not enabled in kubevirt resource`;
    return [invalid('spec.runStrategy', message, gateAdvice(gate))];
  }
  if (STRATEGIES.includes(strategy)) return [];
  return [invalid('spec.runStrategy', `Invalid RunStrategy (${strategy})`, `Use one of ${STRATEGIES.join(', ')}.`)];
}

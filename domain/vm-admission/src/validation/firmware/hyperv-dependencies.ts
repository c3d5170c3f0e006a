import type { FeatureHyperv } from '@smalt/vm-api';

/** The Hyper-V features that need another one, those first that nothing else needs. */
export const HYPERV_DEPENDENCIES = [
  { name: 'evmcs', needs: 'vapic' },
  { name: 'ipi', needs: 'vpindex' },
  { name: 'tlbflush', needs: 'vpindex' },
  { name: 'synictimer', needs: 'synic' },
  { name: 'synic', needs: 'vpindex' },
] as const;

export function isHypervEnabled(hyperv: FeatureHyperv, name: keyof FeatureHyperv): boolean {
  return hyperv[name]?.enabled === true;
}

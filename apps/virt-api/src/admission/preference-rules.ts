import { preferenceWarnings, validatePreference } from '@smalt/instance-types';

import { NOTHING_WRONG, type AdmissionRules } from './admission-rules.ts';
import { asKnown } from './object-shapes.ts';

/** The rules for preferences, of a namespace or of the cluster. */
export function preferenceRules(
  plural: 'virtualmachinepreferences' | 'virtualmachineclusterpreferences',
): AdmissionRules {
  return {
    validate: (_deps, { operation, object }) => {
      if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
      const { spec } = asKnown(plural, object);
      return { causes: validatePreference(spec), warnings: preferenceWarnings(spec) };
    },
  };
}

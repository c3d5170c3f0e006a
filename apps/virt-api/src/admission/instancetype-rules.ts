import { instancetypeWarnings, validateInstancetype } from '@smalt/instance-types';

import { NOTHING_WRONG, type AdmissionRules } from './admission-rules.ts';
import { asKnown } from './object-shapes.ts';

/** The rules for instance types, of a namespace or of the cluster. */
export function instancetypeRules(
  plural: 'virtualmachineinstancetypes' | 'virtualmachineclusterinstancetypes',
): AdmissionRules {
  return {
    validate: (_deps, { operation, object }) => {
      if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
      const { spec } = asKnown(plural, object);
      return { causes: validateInstancetype(spec), warnings: instancetypeWarnings(spec) };
    },
  };
}

import { validateMigrationPolicy } from '@smalt/vm-admission';

import { NOTHING_WRONG, type AdmissionRules } from './admission-rules.ts';
import { asKnown } from './object-shapes.ts';

/** The rules for migration policies. */
export const migrationPolicyRules: AdmissionRules = {
  validate: ({ settings }, { operation, object, oldObject }) => {
    if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
    const old = oldObject === undefined ? undefined : asKnown('migrationpolicies', oldObject);
    return { causes: validateMigrationPolicy(asKnown('migrationpolicies', object), old, settings) };
  },
};

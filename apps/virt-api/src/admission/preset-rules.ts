import { validatePreset } from '@smalt/vm-admission';

import { NOTHING_WRONG, type AdmissionRules } from './admission-rules.ts';
import { asKnown } from './object-shapes.ts';

/** The rules for presets. */
export const presetRules: AdmissionRules = {
  validate: ({ settings, presets }, { operation, object, namespace }) => {
    presets.noteWrite(namespace);
    if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
    return { causes: validatePreset(asKnown('virtualmachineinstancepresets', object), settings) };
  },
};

import { labelSelector, of, shape } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { domainSpec } from './domain.ts';

export const virtualMachineInstancePresetSpec: TSchema = shape({
  name: 'VirtualMachineInstancePresetSpec',
  description: 'What some instances have where they do not say it.',
  required: ['selector'],
  fields: {
    domain: of(
      domainSpec,
      'What they get: requests, processors, firmware, clock, features, watchdog and threads for disks.',
    ),
    selector: of(labelSelector, 'Chooses the instances, by their labels.'),
  },
});

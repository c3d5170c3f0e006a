import { conditions, defineKind, int64, listOf, shape, text, type Kind } from '@smalt/kind';
import type { TSchema } from 'typebox';

const spec: TSchema = shape({
  name: 'EvictionSpec',
  description: 'Which host is to be emptied, and why.',
  required: ['hypervisor', 'reason'],
  fields: {
    hypervisor: text('The name of the hypervisor to empty.', {
      minLength: 1,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'Value is immutable' }],
    }),
    reason: text('Why it is emptied.', { minLength: 1 }),
  },
});

const status: TSchema = shape({
  name: 'EvictionStatus',
  description: 'How far the eviction is.',
  fields: {
    conditions: conditions('What is the case with the eviction.'),
    hypervisorServiceId: text('The id of the hypervisor in Nova, whatever the name of the field says.'),
    outstandingInstances: listOf(text(''), 'The ids of the instances that are still to move; the last one is next.'),
    outstandingRamMb: int64('The memory of the instances that are still to move, in MiB.', { default: 0 }),
  },
});

export const eviction: Kind = defineKind({
  group: 'kvm.cloud.sap',
  versions: [{ name: 'v1' }],
  kind: 'Eviction',
  plural: 'evictions',
  shortNames: ['evi'],
  scope: 'Cluster',
  description: 'An order to move all instances off a hypervisor.',
  columns: [
    { name: 'Hypervisor', type: 'string', jsonPath: '.spec.hypervisor' },
    { name: 'Reason', type: 'string', jsonPath: '.spec.reason' },
    { name: 'State', type: 'string', jsonPath: '.status.conditions[?(@.type=="Evicting")].reason' },
    { name: 'Created', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  conditions: [
    { type: 'Evicting', meaning: 'Instances are being moved away. False once all have moved, or it was given up.' },
    { type: 'PreflightChecksSucceeded', meaning: 'The host takes no new instances, and its instances are known.' },
    { type: 'MigratingInstance', meaning: 'How the move of the last instance went.' },
  ],
  spec,
  status,
  hasStatus: true,
  rules: [
    // An object without a spec is valid for existing tools and stays so.
    // See docs/decisions/0009-an-eviction-without-a-spec.md
    { rule: '!has(oldSelf.spec) || has(self.spec)', message: 'spec may not be removed', fieldPath: '.spec' },
  ],
});

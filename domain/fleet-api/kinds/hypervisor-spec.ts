import { choice, decimal, flag, listOf, mapOf, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

export const TERMINATION_MESSAGE: string =
  "spec is immutable when maintenance is 'termination'; can only change maintenance to 'ha'";

const traitGroup: TSchema = shape({
  name: 'TraitGroup',
  description: 'Membership by a trait, such as a trait in Placement.',
  required: ['name'],
  fields: { name: text('The name of the trait.', { minLength: 1 }) },
});

const aggregateGroup: TSchema = shape({
  name: 'AggregateGroup',
  description: 'Membership in an aggregate of hosts.',
  required: ['name', 'uuid'],
  fields: {
    metadata: mapOf(text(''), 'What is noted about the aggregate.'),
    name: text('The name of the aggregate.', { minLength: 1 }),
    uuid: text('The id of the aggregate.', { pattern: UUID }),
  },
});

const group: TSchema = shape({
  name: 'HypervisorGroup',
  description: 'One membership of the hypervisor: a trait or an aggregate.',
  fields: {
    aggregate: of(aggregateGroup, 'The aggregate that the hypervisor is in.'),
    trait: of(traitGroup, 'The trait that the hypervisor has.'),
  },
  options: {
    'x-kubernetes-validations': [
      {
        rule: '(has(self.trait) ? 1 : 0) + (has(self.aggregate) ? 1 : 0) == 1',
        message: 'exactly one group type must be set',
      },
    ],
  },
});

const MAINTENANCE_MODES = ['', 'manual', 'auto', 'ha', 'termination'] as const;

export const hypervisorSpec: TSchema = shape({
  name: 'HypervisorSpec',
  description: 'What is wanted of a hypervisor.',
  required: [
    'aggregates',
    'allowedProjects',
    'createCertManagerCertificate',
    'customTraits',
    'evacuateOnReboot',
    'highAvailability',
    'installCertificate',
    'lifecycleEnabled',
    'reboot',
    'skipTests',
  ],
  fields: {
    aggregates: listOf(text(''), 'The names of the host aggregates it should be in.', { default: [] }),
    allowedProjects: listOf(text(''), 'The ids of the projects that may place servers here; empty allows all.', {
      default: [],
    }),
    createCertManagerCertificate: flag('Have the node agent ask cert-manager for a certificate of the host.', {
      default: false,
    }),
    customTraits: listOf(text(''), 'The custom traits it should have in Placement.', { default: [] }),
    evacuateOnReboot: flag('Hold back a reboot of the host until its instances have moved away.', { default: true }),
    groups: listOf(group, 'The traits and aggregates that the scheduler reads; duplicates are not refused.'),
    highAvailability: flag('Rebuild its instances elsewhere when the host is lost.', { default: true }),
    installCertificate: flag('Have the node agent install the TLS certificate of the host.', { default: true }),
    lifecycleEnabled: flag('Onboard, look after and offboard the host.', { default: true }),
    maintenance: choice(MAINTENANCE_MODES, 'Why the host is being emptied and kept empty; empty when it is in use.'),
    maintenanceReason: text('What a person does to the host; must be given for the mode `manual`.'),
    overcommit: mapOf(
      decimal(''),
      'How many times each resource may be given away: `cpu`, `memory`. 1 where not set.',
      {
        'x-kubernetes-validations': [
          { rule: 'self.all(k, self[k] >= 1.0)', message: 'overcommit ratios must be >= 1.0' },
        ],
      },
    ),
    reboot: flag('Reboot after an update of the operating system.', { default: false }),
    skipTests: flag('Onboard the host without the test instance.', { default: false }),
    version: text('The operating system version it should run; `latest` takes the newest. Empty: no update.'),
  },
  options: {
    'x-kubernetes-validations': [
      {
        rule: "!has(oldSelf.maintenance) || oldSelf.maintenance != 'termination' || self.maintenance == 'ha' || self == oldSelf",
        message: TERMINATION_MESSAGE,
      },
      {
        rule: "!has(self.maintenance) || self.maintenance != 'manual' || (has(self.maintenanceReason) && self.maintenanceReason.size() > 0)",
        message: "maintenanceReason must be non-empty when maintenance is 'manual'",
      },
    ],
  },
});

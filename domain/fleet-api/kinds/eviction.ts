import { choice, conditions, defineKind, int64, integer, listOf, of, shape, text, time, type Kind } from '@smalt/kind';
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

const progress: TSchema = shape({
  name: 'EvictionProgress',
  description: 'How far the eviction is, in numbers.',
  required: ['failed', 'left', 'moved', 'moving', 'total'],
  fields: {
    failed: integer('How many could not be moved, and are not tried again by themselves.'),
    left: integer('How many are still on the host, those that move or failed included.'),
    mibPerSecond: integer('How fast memory and disks are being sent, all moves together.'),
    moved: integer('How many have left, by a move or otherwise.'),
    moving: integer('How many are on their way.'),
    secondsLeft: int64('How long the rest will take at the present speed.'),
    total: integer('How many there were, those that came later included.'),
  },
});

const instance: TSchema = shape({
  name: 'EvictionInstance',
  description: 'How the move of one instance stands.',
  required: ['attempts', 'id', 'state'],
  fields: {
    attempts: integer('How many times a move was begun.'),
    id: text('The id of the instance.'),
    message: text('What happened last, and what to do about it.'),
    move: text('The id of the last move that was over when the present one was asked for.'),
    name: text('The name of the instance.'),
    since: time('Since when it is in this state.'),
    state: choice(
      ['Waiting', 'Moving', 'Confirming', 'Aborting', 'Failed', 'NonMigratable'],
      'Whether it waits for its turn, moves, has its cold move confirmed, has a move stopped that took too long, or stays.',
    ),
  },
});

const status: TSchema = shape({
  name: 'EvictionStatus',
  description: 'How far the eviction is.',
  fields: {
    conditions: conditions('What is the case with the eviction.'),
    instances: listOf(
      instance,
      'The instances of which more is known than that they wait: those that move, and those that failed.',
    ),
    hypervisorServiceId: text('The id of the hypervisor in Nova, whatever the name of the field says.'),
    outstandingInstances: listOf(text(''), 'The ids of the instances that are still to move; the last one is next.'),
    outstandingRamMb: int64('The memory of the instances that are still to move, in MiB.', { default: 0 }),
    progress: of(progress, 'How far it is, in numbers.'),
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
    { name: 'Moved', type: 'integer', jsonPath: '.status.progress.moved' },
    { name: 'Moving', type: 'integer', jsonPath: '.status.progress.moving' },
    { name: 'Left', type: 'integer', jsonPath: '.status.progress.left' },
    { name: 'Failed', type: 'integer', jsonPath: '.status.progress.failed' },
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

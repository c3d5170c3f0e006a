import { atomicListOf, keyedListOf, mapOf, of, shape, text, time } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { virtualMachineInstanceMigrationState } from './migration-state.ts';

const virtualMachineInstanceMigrationSource: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationSource',
  description: 'Sends an instance to another cluster.',
  required: ['connectURL', 'migrationID'],
  fields: {
    connectURL: text('The address of the other side.'),
    migrationID: text('The id that both sides know the migration by.'),
  },
});

const virtualMachineInstanceMigrationTarget: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationTarget',
  description: 'Receives an instance from another cluster.',
  required: ['migrationID'],
  fields: {
    migrationID: text('The id that both sides know the migration by.'),
  },
});

export const virtualMachineInstanceMigrationSpec: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationSpec',
  description: 'An order to move an instance to another node.',
  fields: {
    addedNodeSelector: mapOf(text(''), 'Labels that the target must have beside those the instance asks for.'),
    priority: text('Which orders are carried out first; the controller sets it.'),
    receive: of(virtualMachineInstanceMigrationTarget, 'Receive the instance from another cluster.'),
    sendTo: of(virtualMachineInstanceMigrationSource, 'Send the instance to another cluster.'),
    vmiName: text('The name of the instance.'),
  },
});

const virtualMachineInstanceMigrationCondition: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationCondition',
  description: 'A fact about the migration.',
  required: ['status', 'type'],
  fields: {
    lastProbeTime: time('When it was last looked at.', { nullable: true }),
    lastTransitionTime: time('When the status last changed.', { nullable: true }),
    message: text('What happened, as a sentence.'),
    reason: text('Why the status is what it is, as one word.'),
    status: text('`True`, `False` or `Unknown`.'),
    type: text('What the condition is about.'),
  },
});

const virtualMachineInstanceMigrationPhaseTransitionTimestamp: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationPhaseTransitionTimestamp',
  description: 'When a phase began.',
  fields: {
    phase: text('The phase.'),
    phaseTransitionTimestamp: time('When it began.'),
  },
});

export const virtualMachineInstanceMigrationStatus: TSchema = shape({
  name: 'VirtualMachineInstanceMigrationStatus',
  description: 'How far the order is.',
  fields: {
    conditions: keyedListOf(
      { item: virtualMachineInstanceMigrationCondition, keys: ['type'] },
      'What is the case with it.',
    ),
    migrationState: of(virtualMachineInstanceMigrationState, 'How far the migration is.'),
    phase: text('Where it is in its life.'),
    phaseTransitionTimestamps: atomicListOf(
      virtualMachineInstanceMigrationPhaseTransitionTimestamp,
      'When each phase began.',
    ),
    synchronizationAddresses: atomicListOf(text(''), 'The addresses by which both sides keep in step.'),
  },
});

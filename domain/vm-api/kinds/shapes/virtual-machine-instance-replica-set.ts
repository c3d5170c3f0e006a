import { flag, int32, keyedListOf, labelSelector, of, shape, text, time } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { virtualMachineInstanceTemplateSpec } from './virtual-machine-instance-spec.ts';

export const virtualMachineInstanceReplicaSetSpec: TSchema = shape({
  name: 'VirtualMachineInstanceReplicaSetSpec',
  description: 'A number of like instances.',
  required: ['selector', 'template'],
  fields: {
    paused: flag('Make and delete none for now.'),
    replicas: int32('How many there should be; 1 when not set.'),
    selector: of(labelSelector, 'Chooses the instances that are counted.'),
    template: of(virtualMachineInstanceTemplateSpec, 'What instances are made from.'),
  },
});

const virtualMachineInstanceReplicaSetCondition: TSchema = shape({
  name: 'VirtualMachineInstanceReplicaSetCondition',
  description: 'A fact about the set.',
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

export const virtualMachineInstanceReplicaSetStatus: TSchema = shape({
  name: 'VirtualMachineInstanceReplicaSetStatus',
  description: 'How many instances there are.',
  fields: {
    conditions: keyedListOf(
      { item: virtualMachineInstanceReplicaSetCondition, keys: ['type'] },
      'What is the case with the set.',
    ),
    labelSelector: text('The selector as text, for autoscalers.'),
    readyReplicas: int32('How many are ready.'),
    replicas: int32('How many there are.'),
  },
});

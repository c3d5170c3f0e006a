import {
  atomicListOf,
  choice,
  flag,
  int32,
  intOrString,
  labelSelector,
  listOf,
  of,
  shape,
  text,
  time,
} from '@smalt/kind';
import type { TSchema } from 'typebox';

import { nodeSelectorRequirement } from './kubernetes-scheduling.ts';
import { templateMetadata } from './template-metadata.ts';
import { virtualMachineSpec } from './virtual-machine-spec.ts';

const virtualMachineTemplateSpec: TSchema = shape({
  name: 'VirtualMachineTemplateSpec',
  description: 'What virtual machines are made from.',
  fields: {
    metadata: of(templateMetadata, 'Labels and annotations that they get.', { nullable: true }),
    spec: of(virtualMachineSpec, 'What they are.'),
  },
});

const virtualMachinePoolSelectors: TSchema = shape({
  name: 'VirtualMachinePoolSelectors',
  description: 'Which machines are chosen; where both are set, both must hold.',
  fields: {
    labelSelector: of(labelSelector, 'By the labels of the template of their instance.'),
    nodeSelectorRequirementMatcher: listOf(
      nodeSelectorRequirement,
      'By the node selector of the template of their instance.',
    ),
  },
});

const virtualMachinePoolSelectionPolicy: TSchema = shape({
  name: 'VirtualMachinePoolSelectionPolicy',
  description: 'Which machines come first.',
  fields: {
    selectors: of(virtualMachinePoolSelectors, 'Those that come into question; all when not set.'),
    sortPolicy: choice(
      ['AscendingOrder', 'DescendingOrder', 'Newest', 'Oldest', 'Random'],
      'In which order, by the numbers in their names or by their age; `Random` when not set.',
    ),
  },
});

const unmanagedStrategy: TSchema = shape({
  name: 'VirtualMachinePoolUnmanagedStrategy',
  description: 'Nothing is done by itself.',
  fields: {},
});

const statePreservation: TSchema = choice(
  ['Disabled', 'Offline', 'Online'],
  'What is kept of machines that go: nothing, claims, or claims and memory.',
);

const scaleInStrategy: TSchema = shape({
  name: 'VirtualMachinePoolScaleInStrategy',
  description: 'What is done when there are too many.',
  fields: {
    opportunistic: of(
      shape({
        name: 'VirtualMachinePoolOpportunisticScaleInStrategy',
        description: 'None is deleted, but those that somebody deletes are not made again.',
        fields: { statePreservation },
      }),
      'Waits until somebody deletes machines.',
    ),
    proactive: of(
      shape({
        name: 'VirtualMachinePoolProactiveScaleInStrategy',
        description: 'Machines are deleted.',
        fields: {
          selectionPolicy: of(virtualMachinePoolSelectionPolicy, 'Which go first.'),
          statePreservation,
        },
      }),
      'Deletes machines; the default.',
    ),
    unmanaged: of(unmanagedStrategy, 'Leaves it to people.'),
  },
});

const updateStrategy: TSchema = shape({
  name: 'VirtualMachinePoolUpdateStrategy',
  description: 'What is done with machines when their template changes.',
  fields: {
    opportunistic: of(
      shape({
        name: 'VirtualMachineOpportunisticUpdateStrategy',
        description: 'Machines are changed, and what runs is left alone until it is started again.',
        fields: {},
      }),
      'Changes machines, and restarts none.',
    ),
    proactive: of(
      shape({
        name: 'VirtualMachinePoolProactiveUpdateStrategy',
        description: 'Machines are changed and restarted.',
        fields: { selectionPolicy: of(virtualMachinePoolSelectionPolicy, 'Which go first.') },
      }),
      'Changes and restarts machines; the default.',
    ),
    unmanaged: of(unmanagedStrategy, 'Leaves them as they are.'),
  },
});

export const virtualMachinePoolSpec: TSchema = shape({
  name: 'VirtualMachinePoolSpec',
  description: 'A number of like virtual machines.',
  required: ['selector', 'virtualMachineTemplate'],
  fields: {
    autohealing: of(
      shape({
        name: 'VirtualMachinePoolAutohealingStrategy',
        description: 'When a machine that does not start is made anew.',
        fields: {
          minFailingToStartDuration: text(
            'How long it has not been ready by then, such as `5m`, which is the default.',
          ),
          startUpFailureThreshold: int32('How many starts in a row have failed; 3 when not set.', { minimum: 1 }),
        },
      }),
      'Replaces machines that do not start; none when not set.',
    ),
    maxUnavailable: intOrString(
      'How many may be down for an update, as a number or a percentage; `100%` when not set.',
    ),
    nameGeneration: of(
      shape({
        name: 'VirtualMachinePoolNameGeneration',
        description: 'What gets the number of the machine.',
        fields: {
          appendIndexToConfigMapRefs: flag('Names of ConfigMaps get it.'),
          appendIndexToSecretRefs: flag('Names of Secrets get it.'),
        },
      }),
      'How names are made.',
    ),
    paused: flag('Make, change and delete none for now.'),
    replicas: int32('How many there should be; 1 when not set.', { minimum: 0 }),
    scaleInStrategy: of(scaleInStrategy, 'What is done when there are too many.'),
    selector: of(labelSelector, 'Chooses the machines that are counted.'),
    updateStrategy: of(updateStrategy, 'What is done with machines when their template changes.'),
    virtualMachineTemplate: of(virtualMachineTemplateSpec, 'What machines are made from.'),
  },
});

const virtualMachinePoolCondition: TSchema = shape({
  name: 'VirtualMachinePoolCondition',
  description: 'A fact about the pool.',
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

export const virtualMachinePoolStatus: TSchema = shape({
  name: 'VirtualMachinePoolStatus',
  description: 'How many machines there are.',
  fields: {
    conditions: atomicListOf(virtualMachinePoolCondition, 'What is the case with the pool.'),
    labelSelector: text('The selector as text, for autoscalers.'),
    readyReplicas: int32('How many are ready.'),
    replicas: int32('How many there are.'),
  },
});

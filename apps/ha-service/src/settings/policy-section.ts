import {
  defaultRecoveryPolicy as defaults,
  MarkSource,
  RecoveryMethod,
  type HostSelector,
  type InstanceRules,
  type RecoveryPolicy,
  type RecoverySegment,
} from '@smalt/recovery-policy';

import { list, named } from './shape/list-shapes.ts';
import { section } from './shape/object-shape.ts';
import { choice, flag, text, whole } from './shape/scalar-shapes.ts';
import { optional, orUndefined, type Shape } from './shape/shape.ts';

const selector: Shape<HostSelector> = section('which hosts; all if nothing is said', {
  names: optional(list('names, with * and ?', text('a name'))),
  labels: optional(named('labels, with * and ? in their values', text('a value'))),
  aggregates: optional(list('aggregates', text('a name'))),
  zones: optional(list('availability zones', text('a name'))),
});

const segment: Shape<RecoverySegment> = section('hosts that are recovered in the same way', {
  name: text('names it in records'),
  isEnabled: flag('whether anything is done about them at all', true),
  hosts: selector,
  method: choice(Object.values(RecoveryMethod), 'where their instances go', 'auto'),
  reservedHosts: list('hosts that are kept free for them, in the order of their use', text('a name')),
  joinsAggregates: flag('whether a reserved host joins the aggregates of the one it stands in for', true),
});

const instances: Shape<InstanceRules> = section('which instances are rebuilt, and in which order', {
  mode: choice(
    ['all', 'marked'],
    'all but those marked not to be, or only those marked to be',
    defaults.instances.mode,
  ),
  enabledKey: text('the key of that mark', { fallback: defaults.instances.enabledKey }),
  priorityKey: text('the key of the priority', { fallback: defaults.instances.priorityKey }),
  sources: list('who is asked, in this order', choice(Object.values(MarkSource), 'where marks are'), {
    fallback: defaults.instances.sources,
  }),
  defaultPriority: whole('that of an instance without one', {
    fallback: defaults.instances.defaultPriority,
    least: -1_000,
    most: 1_000,
  }),
});

export const policySection: Shape<RecoveryPolicy> = section('what is done for whom', {
  segments: list('the first that matches a host is its segment', segment),
  includeAggregates: orUndefined(list('only hosts in one of these aggregates', text('a name'))),
  excludeAggregates: orUndefined(list('no hosts in any of these aggregates', text('a name'))),
  instances,
});

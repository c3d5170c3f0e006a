import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { configMaps, machines } from './fixtures/test-resources.ts';
import { planDeletion } from './plan-deletion.ts';
import type { DeleteOptions } from './write-context.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const JOBS = configMaps({ group: 'batch', kind: 'Job', plural: 'jobs' });
const EVENTS = configMaps({ kind: 'Event', plural: 'events' });

it.each<{
  what: string;
  resource: ReturnType<typeof machines>;
  metadata: JsonObject;
  options: DeleteOptions;
  plan: string;
}>([
  { what: 'a free object', resource: machines(), metadata: {}, options: {}, plan: 'remove' },
  {
    what: 'an object that is held',
    resource: machines(),
    metadata: { finalizers: ['a/b'] },
    options: {},
    plan: 'mark a/b',
  },
  {
    what: 'an object that is held, with its dependents first',
    resource: machines(),
    metadata: { finalizers: ['a/b'] },
    options: { propagationPolicy: 'Foreground' },
    plan: 'mark a/b,foregroundDeletion',
  },
  {
    what: 'an object that waits for its dependents, told to leave them',
    resource: machines(),
    metadata: { finalizers: ['foregroundDeletion'] },
    options: { propagationPolicy: 'Orphan' },
    plan: 'mark orphan',
  },
  {
    what: 'an object that was to leave its dependents, when nothing is said',
    resource: machines(),
    metadata: { finalizers: ['orphan'] },
    options: {},
    plan: 'mark orphan',
  },
  {
    what: 'a job, whose pods stay when nothing is said',
    resource: JOBS,
    metadata: {},
    options: {},
    plan: 'mark orphan',
  },
  {
    what: 'an event, which has no dependents',
    resource: EVENTS,
    metadata: {},
    options: { propagationPolicy: 'Foreground' },
    plan: 'remove',
  },
  {
    what: 'an object that is marked already',
    resource: machines(),
    metadata: { finalizers: ['a/b'], deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 },
    options: {},
    plan: 'wait',
  },
])('plans for $what: $plan', ({ resource, metadata, options, plan }) => {
  const live = { metadata: { name: 'm1', uid: 'u', ...metadata } };

  const decided = planDeletion(resource, live, options, NOW);

  const marked = decided.kind === 'mark' ? (decided.object['metadata'] as JsonObject) : {};
  const finalizers = (marked['finalizers'] ?? []) as string[];
  expect([decided.kind, finalizers.join(',')].join(' ').trim()).toBe(plan);
});

import { expect, it } from 'vitest';

import { deedWords, objectWords, outcomeWords, whoWords, type AuditEvent } from './audit-event.ts';
import { auditChoices, matchesAuditFilters, parseAuditFilters } from './audit-filters.ts';

it('says who did what to what, and what became of it', () => {
  const event = stop({ code: 403, message: 'you may not' });

  expect([whoWords(event), deedWords(event), objectWords(event), outcomeWords(event).words]).toEqual([
    'alice as bob',
    'update virtualmachines/stop',
    'default/demo',
    'Refused: you may not',
  ]);
});

it.each([
  [{ code: 200 }, undefined, 'Done'],
  [{ code: 101 }, 'ResponseStarted', 'Under way'],
  [{ code: 404 }, undefined, 'Refused: 404'],
  [{ code: 500, message: 'no disk' }, undefined, 'Failed: no disk'],
])('has %j in stage %s for %s', (responseStatus, stage, words) => {
  expect(outcomeWords({ ...stop(responseStatus), ...(stage === undefined ? {} : { stage }) }).words).toBe(words);
});

it('names the path of what is about no object', () => {
  const { objectRef: _, ...event } = stop({ code: 200 });

  expect([deedWords({ ...event, verb: 'get', requestURI: '/metrics?a=b' }), objectWords(event)]).toEqual([
    'get /metrics',
    '',
  ]);
});

it.each([
  [{ text: 'default/demo' }, true],
  [{ text: 'kubectl' }, true],
  [{ text: '192.0.2.7' }, true],
  [{ text: 'carol' }, false],
  [{ who: 'alice as bob' }, true],
  [{ who: 'alice' }, false],
  [{ verb: 'update' }, true],
  [{ verb: 'delete' }, false],
  [{ outcome: 'refused' }, true],
  [{ outcome: 'done' }, false],
])('finds an event by %j: %s', (filters, expected) => {
  expect(matchesAuditFilters(stop({ code: 403 }), filters)).toBe(expected);
});

it('reads filters from an address, and offers each value once', () => {
  const events = [stop({ code: 200 }), { ...stop({ code: 200 }), verb: 'delete' }];

  expect(parseAuditFilters({ text: 7, who: 'alice', what: 'all', page: 3, verb: '' })).toEqual({
    text: '7',
    who: 'alice',
    what: 'all',
  });
  expect(auditChoices(events)).toEqual({ people: ['alice as bob'], verbs: ['delete', 'update'] });
});

function stop(responseStatus: NonNullable<AuditEvent['responseStatus']>): AuditEvent {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Event',
    metadata: { name: '1' },
    stage: 'ResponseComplete',
    verb: 'update',
    user: { username: 'alice' },
    impersonatedUser: { username: 'bob' },
    sourceIPs: ['192.0.2.7'],
    userAgent: 'kubectl/1.36',
    objectRef: { resource: 'virtualmachines', subresource: 'stop', namespace: 'default', name: 'demo' },
    responseStatus,
  };
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { AccountRequest } from './account-request.ts';
import type { Right } from './granted-rights.ts';
import { PROVOKED_ON_KUBERNETES, RIGHTS_AWAY } from './kubernetes-exceptions.ts';
import { staleProvocations, unexplainedRefusals, type RefusalRules } from './unexplained-refusals.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BY_ROLE = 'pods is forbidden: User "x" cannot get resource "pods" in API group ""';
const BY_POLICY = "pods is forbidden: ValidatingAdmissionPolicy 'own-node' denied request";

describe('unexplainedRefusals', () => {
  it('names each refusal once, by whom, of what, and in which test', () => {
    const refused = request({ verb: 'list', uri: '/api/v1/pods?limit=5', message: BY_ROLE });

    expect(unexplained([refused, refused])).toEqual([`agent: list /api/v1/pods in scenarios/a.test.ts: ${BY_ROLE}`]);
  });

  it('has nothing to say of what was done, and of accounts that are not of the chart', () => {
    expect(unexplained([request({ code: 200 }), request({ account: 'guest' })])).toEqual([]);
  });

  it('lets stand what a test provokes, by the name that exceptions know it by', () => {
    const pattern = /^agent: get \S+ in \w+ scenarios a\.test\.ts: .* denied request/v;
    const rules = { provoked: [{ pattern, reason: 'a test' }] };

    expect(unexplained([request({ message: BY_POLICY })], rules)).toEqual([]);
    expect(unexplained([request({ message: BY_ROLE })], rules)).toHaveLength(1);
  });

  it.each([
    { what: 'what the chart gives', given: { message: BY_ROLE }, left: 0 },
    { what: 'what the chart does not give', given: { message: BY_ROLE, verb: 'delete' }, left: 1 },
    { what: 'what a policy refuses', given: { message: BY_POLICY }, left: 1 },
    { what: 'another test', given: { message: BY_ROLE, story: 'scenarios/b.test.ts' }, left: 1 },
  ])('excuses rights that were away for a while: $what', ({ given, left }) => {
    const rightsAway = [{ file: 'scenarios/a.test.ts', reason: 'a test' }];

    expect(unexplained([request(given)], { rightsAway })).toHaveLength(left);
  });
});

describe('staleProvocations', () => {
  it('names what no test provoked, unless that takes chance', () => {
    const [pattern, reason] = [/^agent: get .* denied request/v, 'a test'];

    expect(staleProvocations([request({ message: BY_POLICY })], [{ pattern, reason }])).toEqual([]);
    expect(staleProvocations([request({ message: BY_ROLE })], [{ pattern, reason }])).toEqual([pattern.source]);
    expect(staleProvocations([], [{ pattern, reason, isByChance: true }])).toEqual([]);
  });
});

describe('the exceptions of the real API server', () => {
  it('let a namespace that goes take nothing new', () => {
    const message =
      'pods "a" is forbidden: unable to create new content in namespace shop because it is being terminated';
    const rules = { provoked: PROVOKED_ON_KUBERNETES };

    expect(unexplained([request({ verb: 'create', message })], rules)).toEqual([]);
    expect(unexplained([request({ verb: 'create', message: BY_ROLE })], rules)).toHaveLength(1);
  });

  it('are of tests that there are, each with a reason', () => {
    expect(RIGHTS_AWAY.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect([...RIGHTS_AWAY, ...PROVOKED_ON_KUBERNETES].filter(({ reason }) => reason.length < 20)).toEqual([]);
  });
});

const right: Right = { account: 'agent', verb: 'get', group: '', resource: 'pods', name: '', namespace: '' };

function unexplained(requests: readonly AccountRequest[], rules: Partial<RefusalRules> = {}): readonly string[] {
  return unexplainedRefusals(requests, { rights: [right], provoked: [], rightsAway: [], ...rules });
}

function request(given: Partial<AccountRequest>): AccountRequest {
  const place = { story: 'scenarios/a.test.ts', accountNamespace: 'smalt-system', uri: '/api/v1/pods' };
  return { ...right, ...place, message: '', code: 403, ...given };
}

import { describe, expect, it } from 'vitest';

import type { AccountRequest } from './account-request.ts';
import { compareRights, type Compared, type Comparison } from './compare-rights.ts';
import type { Right } from './granted-rights.ts';

describe('compareRights', () => {
  it('finds nothing where all that may be done was done, and nothing else was asked for', () => {
    expect(compared({ rights: [rightOf({})], requests: [request({})] })).toEqual(nothing);
  });

  it('names what was refused, by whom, and in which test', () => {
    const refused = request({ verb: 'list', code: 403, uri: '/api/v1/pods?limit=5', message: 'pods is forbidden' });

    const { refusals } = compared({ rights: [rightOf({})], requests: [request({}), refused, refused] });

    expect(refusals).toEqual(['agent: list /api/v1/pods in a.test.ts: pods is forbidden']);
  });

  it.each([
    { what: 'nobody asked', requests: [] },
    { what: 'another account asked', requests: [request({ account: 'other' })] },
    { what: 'it was asked for something else', requests: [request({ verb: 'list' })] },
    { what: 'it was asked for a subresource', requests: [request({ resource: 'pods/status' })] },
    { what: 'it was asked of another group', requests: [request({ group: 'apps' })] },
    { what: 'nobody knew who asked', requests: [request({ code: 401 })] },
  ])('names a right that is not used: $what', ({ requests }) => {
    expect(compared({ rights: [rightOf({}), rightOf({ account: 'other', verb: 'x' })], requests }).unused).toContain(
      'agent: get pods',
    );
  });

  it('does not count what was refused as use', () => {
    expect(compared({ rights: [rightOf({})], requests: [request({ code: 403 })] }).unused).toEqual(['agent: get pods']);
  });

  it('counts what was not found as use', () => {
    expect(compared({ rights: [rightOf({})], requests: [request({ code: 404 })] })).toEqual(nothing);
  });

  it('tells names and namespaces apart', () => {
    const rights = [
      rightOf({ name: 'a' }),
      rightOf({ name: 'b' }),
      rightOf({ namespace: 'x' }),
      rightOf({ namespace: 'y' }),
    ];

    const { unused } = compared({ rights, requests: [request({ name: 'a', namespace: 'x' })] });

    expect(unused).toEqual(['agent: get pods in y', 'agent: get pods named b']);
  });

  it('takes the namespace of a release that is elsewhere for those of the chart', () => {
    const rights = [rightOf({ namespace: 'smalt-system' })];

    const elsewhere = compared({ rights, requests: [request({ namespace: 'default', accountNamespace: 'default' })] });
    const other = compared({ rights, requests: [request({ namespace: 'shop', accountNamespace: 'default' })] });
    const inChart = compared({
      rights: [rightOf({ namespace: 'x' })],
      requests: [request({ namespace: 'smalt-system' })],
    });

    expect(elsewhere).toEqual(nothing);
    expect(other.unused).toEqual(['agent: get pods in smalt-system']);
    expect(inChart.unused).toEqual(['agent: get pods in x']);
  });

  it('lets exceptions stand, and names each that is none any more', () => {
    const exceptions = {
      notShown: [exception(/get pods$/v), exception(/get nodes$/v)],
      provoked: [exception(/list/v), exception(/delete/v), { ...exception(/watch/v), isByChance: true as const }],
      rightsAway: [],
    };
    const requests = [request({ verb: 'list', code: 403 })];

    const found = compareRights({ rights: [rightOf({})], requests, ...exceptions });

    expect(found).toEqual({ refusals: [], unused: [], stale: ['right get nodes$', 'refusal delete'] });
  });

  it('lets a right by chance be used or not, and names its exception once nobody has that right', () => {
    const notShown = [{ ...exception(/^agent: get pods$/v), isByChance: true as const }];
    const given = { notShown, provoked: [], rightsAway: [] };

    expect(compareRights({ ...given, rights: [rightOf({})], requests: [] })).toEqual(nothing);
    expect(compareRights({ ...given, rights: [rightOf({})], requests: [request({})] })).toEqual(nothing);
    expect(compareRights({ ...given, rights: [], requests: [] }).stale).toEqual(['right ^agent: get pods$']);
  });

  it('excuses what the chart gives where a test takes it away, on either server, and nothing else', () => {
    const message = 'pods is forbidden: User "x" cannot get resource "pods" in API group ""';
    const refused = ['ours', 'kubernetes'].map((server) => `${server} apps a.test.ts`);
    const requests = [request({}), ...refused.map((story) => request({ code: 403, message, story }))];
    const beyond = request({ verb: 'delete', code: 403, message, story: 'ours apps a.test.ts' });
    const given = { rights: [rightOf({})], notShown: [], provoked: [] };
    const rightsAway = [{ file: 'apps/a.test.ts', reason: 'a test' }];

    expect(compareRights({ ...given, requests, rightsAway }).refusals).toEqual([]);
    expect(compareRights({ ...given, requests: [...requests, beyond], rightsAway }).refusals).toHaveLength(1);
  });
});

const nothing: Compared = { refusals: [], unused: [], stale: [] };

function compared(given: Pick<Comparison, 'rights' | 'requests'>): Compared {
  return compareRights({ ...given, notShown: [], provoked: [], rightsAway: [] });
}

function exception(pattern: RegExp): Comparison['notShown'][number] {
  return { pattern, reason: 'a test' };
}

function rightOf(given: Partial<Right>): Right {
  return { account: 'agent', verb: 'get', group: '', resource: 'pods', name: '', namespace: '', ...given };
}

function request(given: Partial<AccountRequest>): AccountRequest {
  const place = { story: 'a.test.ts', accountNamespace: 'smalt-system', uri: '', message: '', code: 200 };
  return { ...rightOf({}), ...place, ...given };
}

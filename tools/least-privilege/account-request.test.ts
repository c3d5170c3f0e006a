import { describe, expect, it } from 'vitest';

import { accountRequests } from './account-request.ts';

const USER = { username: 'system:serviceaccount:smalt-system:smalt-virt-api' };

describe('accountRequests', () => {
  it('reads who asked for what, and what the answer was', () => {
    const line = lineOf({
      verb: 'patch',
      requestURI: '/api/v1/namespaces/n/pods/p/status?force=true',
      objectRef: { resource: 'pods', subresource: 'status', namespace: 'n', name: 'p' },
      responseStatus: { code: 403, message: 'no' },
    });

    expect(accountRequests('a.test.ts', line)).toEqual([
      {
        story: 'a.test.ts',
        account: 'smalt-virt-api',
        accountNamespace: 'smalt-system',
        verb: 'patch',
        group: '',
        resource: 'pods/status',
        name: 'p',
        namespace: 'n',
        code: 403,
        uri: '/api/v1/namespaces/n/pods/p/status?force=true',
        message: 'no',
      },
    ]);
  });

  it('leaves out what an account asked with the rights of somebody else', () => {
    const asked = { verb: 'get', objectRef: { resource: 'pods' }, responseStatus: { code: 403 } };

    expect(accountRequests('', lineOf(asked))).toHaveLength(1);
    expect(accountRequests('', lineOf({ ...asked, impersonatedUser: { username: 'ada' } }))).toEqual([]);
  });

  it('counts the apply of what was not there as its creation as well', () => {
    const line = lineOf({ verb: 'patch', objectRef: { resource: 'pods' }, responseStatus: { code: 201 } });

    expect(accountRequests('', line).map(({ verb }) => verb)).toEqual(['patch', 'create']);
  });

  it('counts a watch that begins with all objects as the list that it stands for, and another one not', () => {
    expect(verbsOf(watchLine('&sendInitialEvents=true'))).toEqual(['watch', 'list']);
    expect(verbsOf(watchLine(''))).toEqual(['watch']);
  });

  it('reads what a handler asked about another account, and was told yes', () => {
    const spec = {
      user: USER.username,
      resourceAttributes: { verb: 'get', group: 'g', resource: 'r', subresource: 's', name: 'n', namespace: 'x' },
    };
    const review = (allowed: boolean, username: string): string =>
      lineOf({
        verb: 'create',
        user: { username },
        objectRef: { resource: 'subjectaccessreviews', apiGroup: 'authorization.k8s.io' },
        responseStatus: { code: 201 },
        requestObject: { spec },
        responseObject: { status: { allowed } },
      });
    const handler = 'system:serviceaccount:smalt-system:smalt-virt-handler';

    expect(aboutApi(review(true, handler))).toEqual(['get g r/s n x']);
    expect(aboutApi(review(false, handler))).toEqual([]);
    // What the administrator asks shows that the right is there, not that somebody needs it.
    expect(aboutApi(review(true, 'admin'))).toEqual([]);
  });

  it.each([
    ['people', lineOf({ user: { username: 'ada' } })],
    ['half a line', lineOf({}).slice(0, -5)],
    ['an empty line', ''],
  ])('leaves out %s', (_, line) => {
    expect(accountRequests('', line)).toEqual([]);
  });
});

function aboutApi(line: string): readonly string[] {
  return accountRequests('', line)
    .filter(({ account }) => account === 'smalt-virt-api')
    .map(({ verb, group, resource, name, namespace }) => [verb, group, resource, name, namespace].join(' '));
}

function watchLine(query: string): string {
  return lineOf({ verb: 'watch', requestURI: `/api/v1/pods?watch=true${query}`, objectRef: { resource: 'pods' } });
}

function verbsOf(line: string): readonly string[] {
  return accountRequests('', line).map(({ verb }) => verb);
}

function lineOf(event: object): string {
  return JSON.stringify({ verb: 'get', requestURI: '/', user: USER, responseStatus: { code: 200 }, ...event });
}

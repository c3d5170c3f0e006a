import { describe, expect, it } from 'vitest';

import { pullSettingsProblems } from './pull-settings-problems.ts';
import { defaultPullEndpoint, type PullEndpoint } from './pull-settings.ts';

describe('pullSettingsProblems', () => {
  it.each<{ readonly change: Partial<PullEndpoint>; readonly problem: string }>([
    { change: { url: 'https://' }, problem: '[0].url: is no address' },
    { change: { url: 'https://a:b@x' }, problem: '[0].url: has an account in it' },
    { change: { url: 'http://x', tokenFile: '/t' }, problem: '[0].url: is not https' },
    { change: { url: 'http://x', user: 'u', passwordFile: '/p' }, problem: '[0].url: is not https' },
    { change: { certificateFile: '/c' }, problem: '[0].keyFile: a certificate and its key go together' },
    { change: { keyFile: '/k' }, problem: '[0].keyFile: a certificate and its key go together' },
    { change: { user: 'u' }, problem: '[0].passwordFile: an account and its password go together' },
    { change: { tokenFile: '/t', user: 'u', passwordFile: '/p' }, problem: '[0].tokenFile: is of no use with user' },
    { change: { timeoutMs: 20_000 }, problem: '[0].timeoutMs: must not be more than intervalMs' },
    { change: { items: 'data' }, problem: '[0].items: is for JSON' },
    { change: { rules: [{ ...rule(), time: 'at' }] }, problem: '[0].rules[0].time: is for JSON' },
    {
      change: { rules: [{ ...rule(), where: { a: '(' } }] },
      problem: '[0].rules[0].where.a: is no regular expression',
    },
    {
      change: { rules: [{ ...rule(), host: { from: 'a', pattern: '[' } }] },
      problem: '[0].rules[0].host.pattern: is no regular expression',
    },
  ])('names $problem', ({ change, problem }) => {
    const problems = pullSettingsProblems([endpoint(change)]);

    expect(problems.filter((each) => each.startsWith(problem))).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it('names two of one name, and nothing in what is right', () => {
    const json = endpoint({ name: 'b', format: 'json', items: 'x', rules: [{ ...rule(), time: 'at' }] });

    expect(pullSettingsProblems([endpoint({}), json])).toEqual([]);
    expect(pullSettingsProblems([endpoint({}), endpoint({})])).toEqual([
      '[1].name: another one is called a; rename it',
    ]);
  });
});

function rule(): PullEndpoint['rules'][number] {
  return { source: 'storage', value: 'idle', where: {}, host: { from: 'client' }, meaning: { kind: 'age' } };
}

function endpoint(change: Partial<PullEndpoint>): PullEndpoint {
  return { ...defaultPullEndpoint, name: 'a', url: 'https://x/', format: 'prometheus', rules: [rule()], ...change };
}

import type { KubeClient } from '@smalt/kube';
import { describe, expect, it } from 'vitest';

import { readReview, TokenReviews } from './token-reviews.ts';

type Asked = Pick<KubeClient, 'request'>;

const user = { username: 'ann', groups: ['on-call'] };
const signal = AbortSignal.timeout(10_000);

describe('readReview', () => {
  it.each([
    {
      what: 'a token for us',
      audience: 'ha',
      status: { authenticated: true, user, audiences: ['x', 'ha'] },
      name: 'ann',
    },
    {
      what: 'one for another',
      audience: 'ha',
      status: { authenticated: true, user, audiences: ['x'] },
      name: undefined,
    },
    {
      what: 'one of a server that knows no audiences',
      audience: 'ha',
      status: { authenticated: true, user },
      name: undefined,
    },
    {
      what: 'one for the API server, where that is asked for',
      audience: '',
      status: { authenticated: true, user },
      name: 'ann',
    },
    { what: 'one that does not count', audience: '', status: { authenticated: false, user }, name: undefined },
    { what: 'one without a name', audience: '', status: { authenticated: true, user: {} }, name: undefined },
    { what: 'nonsense', audience: '', status: 'yes', name: undefined },
  ])('reads $what', ({ audience, status, name }) => {
    expect(readReview({ status }, audience === '' ? [] : [audience])?.name).toBe(name);
  });
});

it.each([
  { audiences: ['old'], isTaken: true },
  { audiences: ['x'], isTaken: false },
])('readReview takes a token for one of several: $audiences, $isTaken', ({ audiences, isTaken }) => {
  const status = { authenticated: true, user, audiences };

  expect(readReview({ status }, ['ha', 'old']) !== undefined).toBe(isTaken);
});

describe('TokenReviews', () => {
  it('names the audience, and none where the API server itself is meant', async () => {
    const asked: string[] = [];
    const client: Asked = {
      request: ({ body }) => {
        asked.push(String(body));
        return Promise.resolve({ status: {} });
      },
    };

    await new TokenReviews({ client: client, audience: () => 'ha' }).find('t', signal);
    await new TokenReviews({ client: client, audience: () => '' }).find('t', signal);
    await new TokenReviews({ client: client, audience: () => 'ha', formerAudiences: ['old'] }).find('t', signal);

    expect(asked.map((body) => Object(JSON.parse(body)).spec)).toEqual([
      { token: 't', audiences: ['ha'] },
      { token: 't' },
      { token: 't', audiences: ['ha', 'old'] },
    ]);
  });

  it('asks about 32 at a time, whoever wants to know, and about others once those are answered', async () => {
    const answers: (() => void)[] = [];
    const client: Asked = {
      request: () => new Promise((resolve) => void answers.push(() => resolve({ status: {} }))),
    };
    const reviews = new TokenReviews({ client: client, audience: () => '' });
    const first = Array.from({ length: 32 }, (_, index) => reviews.find(`t${index}`, signal));

    await expect(reviews.find('one more', signal)).rejects.toMatchObject({ code: 'unavailable' });
    for (const answer of answers) answer();
    await Promise.all(first);
    const late = reviews.find('one more', signal);
    answers.at(-1)?.();

    await expect(late).resolves.toBeUndefined();
  });
});

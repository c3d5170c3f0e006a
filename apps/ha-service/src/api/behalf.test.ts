import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readBehalf } from './behalf.ts';
import {
  CLUSTER_TOKEN,
  CONSOLE_ACCOUNT,
  CONSOLE_TOKEN,
  OPERATOR,
  startApiBed,
  VIEWER,
  type ApiBed,
} from './fixtures/api-bed.ts';

describe('readBehalf', () => {
  it.each([
    { headers: { accept: ['*/*'] }, behalf: undefined },
    { headers: { 'impersonate-user': ['anna'] }, behalf: { name: 'anna', groups: [] } },
    {
      headers: { 'impersonate-user': [Buffer.from('Åsa').toString('latin1')], 'impersonate-group': ['a', 'b'] },
      behalf: { name: 'Åsa', groups: ['a', 'b'] },
    },
  ])('finds $behalf', ({ headers, behalf }) => {
    expect(readBehalf(headers)).toEqual(behalf);
  });

  it.each([
    { headers: { 'impersonate-group': ['system:masters'] }, field: 'impersonate-user' },
    { headers: { 'impersonate-user': ['anna', 'otto'] }, field: 'impersonate-user' },
    { headers: { 'impersonate-user': [''] }, field: 'impersonate-user' },
    { headers: { 'impersonate-user': ['anna'], 'impersonate-uid': ['1'] }, field: 'impersonate-uid' },
    { headers: { 'impersonate-user': ['an\u0085na'] }, field: 'impersonate-user' },
    { headers: { 'impersonate-user': ['a'.repeat(300)] }, field: 'impersonate-user' },
  ])('refuses $headers by the name of the header', ({ headers, field }) => {
    expect(() => readBehalf(headers)).toThrow(expect.objectContaining({ code: 'invalid-request', field }));
  });
});

describe('a request on behalf of somebody', () => {
  let bed: ApiBed;

  beforeAll(async () => {
    bed = await startApiBed();
  });
  afterAll(() => bed[Symbol.asyncDispose]());

  it.each([
    { whom: 'an operator', behalf: { 'impersonate-user': 'anna' }, status: 200 },
    { whom: 'a viewer', behalf: { 'impersonate-user': 'otto', 'impersonate-group': ['x', 'lookers'] }, status: 403 },
    { whom: 'one without a role', behalf: { 'impersonate-user': 'otto' }, status: 403 },
    { whom: 'nobody', behalf: {}, status: 401 },
    { whom: 'a group alone', behalf: { 'impersonate-group': 'lookers' }, status: 422 },
  ])('of $whom is answered with $status', async ({ behalf, status }) => {
    const call = { token: CONSOLE_TOKEN, headers: behalf, body: { note: 'for another' } };

    const answer = await bed.call('POST', '/api/v1/resume', call);

    expect(answer.status).toBe(status);
  });

  it.each([
    { by: 'an operator of the cluster', token: CLUSTER_TOKEN },
    { by: 'an operator of the tokens file', token: OPERATOR },
    { by: 'nobody', token: undefined },
  ])('is not taken from $by', async ({ token }) => {
    const headers = { 'impersonate-user': 'anna' };

    const answer = await bed.call('GET', '/api/v1/status', { ...(token && { token }), headers });

    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('on behalf of others') } });
  });

  it('is in the journal, with through whom', async () => {
    const headers = { 'impersonate-user': 'anna' };
    await bed.call('POST', '/api/v1/resume', { token: CONSOLE_TOKEN, headers, body: { note: 'from the page' } });

    const { body } = await bed.call('GET', '/api/v1/journal?limit=1', { token: VIEWER });

    expect(body['items']).toMatchObject([
      {
        by: `anna (through ${CONSOLE_ACCOUNT})`,
        message: `anna (through ${CONSOLE_ACCOUNT}) resumed high availability: from the page`,
      },
    ]);
  });
});

import { describe, expect, it } from 'vitest';

import { isLogin, isVersionRequest, sendJson, startFakeCloud, type CloudAnswer } from './fake-cloud.ts';

describe('evacuations', () => {
  it.each([
    [429, 'too-many-requests'],
    [503, 'unavailable'],
  ])('never makes an evacuation again, not even one that was put off with %s', async (status, code) => {
    await using cloud = await startFakeCloud(
      services((response) => sendJson(response, status, {}, { 'retry-after': '0' })),
    );

    const evacuating = cloud.client.compute.actions.evacuate('s1');

    await expect(evacuating).rejects.toMatchObject({ code });
    expect(cloud.requests).toHaveLength(1);
  });

  it('makes an evacuation again whose token was refused, because nobody has looked at it', async () => {
    await using cloud = await startFakeCloud(
      services((response, count) => {
        if (count === 1) sendJson(response, 401, { error: { code: 401, message: 'expired' } });
        else sendJson(response, 200, undefined);
      }),
    );

    await cloud.client.compute.actions.evacuate('s1');

    expect(cloud.requests).toHaveLength(2);
  });
});

type ServiceAnswer = (response: Parameters<CloudAnswer>[1], count: number) => void;

/** Answers what is asked of services, and counts that. */
function services(answer: ServiceAnswer): CloudAnswer {
  let count = 0;
  return (request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    answer(response, ++count);
  };
}

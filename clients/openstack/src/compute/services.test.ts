import { describe, expect, it } from 'vitest';

import { isLogin, isVersionRequest, sendJson, startFakeCloud, type CloudAnswer } from '../fake-cloud.ts';

describe('services of a cell that cannot be reached', () => {
  const known = { id: 'id1', binary: 'nova-compute', host: 'node1', status: 'enabled', state: 'up' };
  const lost = { binary: 'nova-compute', host: 'node2', status: 'UNKNOWN' };

  it('are told apart from the others', async () => {
    await using cloud = await startFakeCloud(listing([lost, known]));
    const { services: compute } = cloud.client.compute;

    expect(await compute.list()).toMatchObject({
      services: [{ id: 'id1', host: 'node1' }],
      unreachableHosts: ['node2'],
    });
    expect(await compute.findCompute('node1')).toMatchObject({ id: 'id1' });
    expect(await compute.findCompute('node3')).toBeUndefined();
    await expect(compute.findCompute('node2')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are not those that merely lack an id', async () => {
    const { id: _id, ...broken } = known;
    await using cloud = await startFakeCloud(listing([broken]));

    await expect(cloud.client.compute.services.list()).rejects.toMatchObject({ code: 'bad-answer' });
  });
});

function listing(services: readonly unknown[]): CloudAnswer {
  return (request, response) => {
    if (isLogin(request) || isVersionRequest(request)) return 'as-usual';
    return sendJson(response, 200, { services });
  };
}

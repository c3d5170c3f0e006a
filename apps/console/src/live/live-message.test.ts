import { describe, expect, it } from 'vitest';

import { readLiveRequest } from './live-message.ts';

describe('what a page may follow', () => {
  it.each([
    ['/api/v1/nodes', { group: '', version: 'v1', plural: 'nodes' }, undefined],
    ['/api/v1/namespaces', { group: '', version: 'v1', plural: 'namespaces' }, undefined],
    ['/api/v1/namespaces/default/events', { group: '', plural: 'events' }, 'default'],
    ['/apis/kubevirt.io/v1/virtualmachines', { group: 'kubevirt.io', version: 'v1' }, undefined],
    ['/apis/kvm.cloud.sap/v1/namespaces/a/evictions', { group: 'kvm.cloud.sap', plural: 'evictions' }, 'a'],
  ])('is %s', (path, resource, namespace) => {
    const request = readLiveRequest(JSON.stringify({ kind: 'follow', id: 1, path }));

    expect(request).toMatchObject({ kind: 'follow', id: 1, followed: { kind: 'resource', resource } });
    expect('followed' in request && 'namespace' in request.followed ? request.followed.namespace : undefined).toBe(
      namespace,
    );
  });

  it('is the HA service', () => {
    const text = JSON.stringify({ kind: 'follow', id: 0, path: '/ha/v1/changes' });

    expect(readLiveRequest(text)).toEqual({ kind: 'follow', id: 0, followed: { kind: 'high-availability' } });
  });

  it('can be chosen by labels and fields', () => {
    const selectors = { fieldSelector: 'metadata.name=a', labelSelector: 'b in (c,d)' };
    const text = JSON.stringify({ kind: 'follow', id: 1, path: '/api/v1/pods', ...selectors });

    expect(readLiveRequest(text)).toMatchObject({
      followed: { fieldSelector: { requirements: [{}] }, labelSelector: { requirements: [{}] } },
    });
  });

  it.each([
    { path: '/api/v1/namespaces/a/pods/b' },
    { path: '/api/v1/namespaces/default' },
    { path: '/apis/a/../v1/b' },
    { path: '/version' },
    { path: '/ha/v1/hosts' },
    { path: 1 },
    {},
    { path: '/api/v1/pods', labelSelector: '!!' },
    { path: '/api/v1/pods', fieldSelector: 1 },
  ])('is not %o, and it is told why', (fields) => {
    const request = readLiveRequest(JSON.stringify({ kind: 'follow', id: 3, ...fields }));

    expect(request).toEqual({ kind: 'problem', id: 3, message: expect.any(String) });
  });
});

it.each(['', '1', '{"kind":"follow"}', '{"kind":"forget","id":-1}', '{"kind":"forget","id":"1"}', '{"id":1}'])(
  'what is no request at all is refused: %s',
  (text) => {
    expect(() => readLiveRequest(text)).toThrow(expect.objectContaining({ code: 'bad-request' }));
  },
);

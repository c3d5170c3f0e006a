import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseRequestInfo } from './request-info.ts';

describe('parseRequestInfo', () => {
  it.each([
    ['GET', '/api/v1/pods', { verb: 'list', group: '', version: 'v1', plural: 'pods', namespace: '', name: '' }],
    ['GET', '/api/v1/pods?watch=true', { verb: 'watch', plural: 'pods' }],
    ['GET', '/api/v1/pods?watch=0', { verb: 'list' }],
    ['GET', '/api/v1/pods?watch=false', { verb: 'list' }],
    ['GET', '/api/v1/namespaces/a/pods/b', { verb: 'get', plural: 'pods', namespace: 'a', name: 'b', subresource: '' }],
    ['GET', '/api/v1/namespaces/a/pods/b/log', { verb: 'get', plural: 'pods', name: 'b', subresource: 'log' }],
    ['GET', '/api/v1/namespaces/a/services/b/proxy/x/y', { subresource: 'proxy', rest: ['x', 'y'] }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', plural: 'namespaces', namespace: 'a', name: 'a' }],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      { verb: 'update', plural: 'namespaces', name: 'a', subresource: 'finalize' },
    ],
    ['POST', '/apis/apps/v1/namespaces/a/deployments', { verb: 'create', group: 'apps', plural: 'deployments' }],
    ['PATCH', '/apis/apps/v1/namespaces/a/deployments/b/scale', { verb: 'patch', subresource: 'scale' }],
    ['DELETE', '/api/v1/namespaces/a/pods', { verb: 'deletecollection', namespace: 'a', name: '' }],
    ['DELETE', '/api/v1/namespaces/a/pods/b', { verb: 'delete', name: 'b' }],
    ['HEAD', '/api/v1/nodes/n', { verb: 'get', name: 'n' }],
    ['GET', '/api/v1/watch/namespaces/a/pods/b', { verb: 'watch', plural: 'pods', namespace: 'a', name: 'b' }],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx', { verb: 'list', name: 'x' }],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx,a%3Db', { verb: 'list', name: '' }],
    ['GET', '/api/v1/nodes/a%2Fb', { plural: 'nodes', name: 'a', subresource: 'b' }],
    ['BREW', '/api/v1/pods', { isResourceRequest: true, verb: '' }],
    ['GET', '/apis/apps/v1', { isResourceRequest: false, verb: 'get', path: '/apis/apps/v1' }],
    ['GET', '/api/v1', { isResourceRequest: false }],
    ['POST', '/healthz?verbose', { isResourceRequest: false, verb: 'post', path: '/healthz' }],
  ])('reads %s %s', (method, url, expected) => {
    expect(parseRequestInfo(method, url)).toMatchObject(expected);
  });

  it.each(['/api/v1/%zz', '/api/v1/watch'])('cannot read %s', (url) => {
    expect(parseRequestInfo('GET', url)).toBeUndefined();
  });

  it('never throws, whatever the path', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const info = parseRequestInfo('GET', `${path}?${query}`);

        expect(info === undefined || typeof info.verb === 'string').toBe(true);
      }),
    );
  });
});

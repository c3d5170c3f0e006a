import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isRefusal } from '../virt-api-error.ts';
import { findSubresource, neededRight, readUrl } from './find-subresource.ts';

const ROOT = '/apis/subresources.kubevirt.io/v1';
const BELOW = `${ROOT}/namespaces/default`;

describe('findSubresource', () => {
  it.each([
    ['PUT', `${BELOW}/virtualmachines/a/start`, { name: 'a', rest: [], right: 'update virtualmachines/start' }],
    ['PUT', `${BELOW}/virtualmachines/a/start/`, { name: 'a', rest: [], right: 'update virtualmachines/start' }],
    [
      'PUT',
      `${BELOW}/virtualmachineinstances/a/evacuate/cancel`,
      { name: 'a', rest: [], right: 'update virtualmachineinstances/evacuate' },
    ],
    [
      'GET',
      `${BELOW}/virtualmachineinstances/a/portforward/22/tcp`,
      { name: 'a', rest: ['22', 'tcp'], right: 'get virtualmachineinstances/portforward' },
    ],
    [
      'HEAD',
      `${BELOW}/virtualmachineinstances/a/guestosinfo`,
      { name: 'a', rest: [], right: 'get virtualmachineinstances/guestosinfo' },
    ],
    ['PUT', `${BELOW}/expand-vm-spec`, { name: '', rest: [], right: 'update expand-vm-spec' }],
    ['GET', `${ROOT}/nodes/n1/usage`, { name: 'n1', rest: [], right: 'get nodes/usage' }],
    [
      'GET',
      `${BELOW}/virtualmachineinstances/a/logs`,
      { name: 'a', rest: [], right: 'get virtualmachineinstances/logs' },
    ],
    ['GET', `${ROOT}/version`, { name: '', rest: [], right: undefined }],
  ])('reads %s %s', (method, path, { name, rest, right }) => {
    const found = findSubresource(readUrl(method, path));

    const needed = neededRight(found);
    const words = needed === undefined ? undefined : rightText(needed);
    expect([found.name, found.rest, words]).toEqual([name, rest, right]);
  });

  it.each([
    ['PUT', `${BELOW}/virtualmachines/a/dance`, 404],
    ['PUT', `${BELOW}/virtualmachines/a`, 404],
    ['PUT', `${BELOW}/virtualmachines`, 404],
    ['PUT', `${BELOW}/virtualmachines/a/start/b`, 404],
    ['PUT', `${BELOW}/virtualmachines/%2e%2e/start`, 404],
    ['PUT', `${BELOW}/virtualmachines/a%2Fb/start`, 404],
    ['PUT', `${ROOT}/namespaces/%2e/virtualmachines/a/start`, 404],
    ['PUT', '/apis/subresources.kubevirt.io/v2/namespaces/default/virtualmachines/a/start', 404],
    ['GET', `${ROOT}/namespaces/default/version`, 404],
    ['GET', `${ROOT}/namespaces/default/nodes/n1/usage`, 404],
    ['GET', `${ROOT}/nodes/usage`, 404],
    ['GET', `${ROOT}/nodes/%2e%2e/usage`, 404],
    ['GET', `${ROOT}/version/n1`, 404],
    ['PUT', `${ROOT}/nodes/n1/logs`, 405],
    ['POST', `${BELOW}/virtualmachines/a/start`, 405],
    ['PUT', `${BELOW}/%zz`, 400],
  ])('refuses %s %s with %d', (method, path, code) => {
    expect(codeOf(method, path)).toBe(code);
  });

  it('refuses whatever is no path of ours, and never breaks', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.constantFrom('GET', 'PUT', 'X'), (path, method) => {
        expect([400, 404, 405]).toContain(codeOf(method, `${BELOW}${path}`));
      }),
    );
  });
});

function codeOf(method: string, path: string): number | undefined {
  try {
    findSubresource(readUrl(method, path));
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error.status.code;
    throw error;
  }
}

function rightText(right: NonNullable<ReturnType<typeof neededRight>>): string {
  const { verb, resource, subresource } = right;
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
}

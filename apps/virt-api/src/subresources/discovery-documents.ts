import type { JsonObject } from '@smalt/json';

import { SUBRESOURCE_GROUP, SUBRESOURCE_VERSIONS } from './find-subresource.ts';
import { SUBRESOURCE_ROUTES } from './subresource-routes.ts';

/** What `/apis/subresources.kubevirt.io/<version>` answers. */
export function resourceList(version: string): JsonObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${SUBRESOURCE_GROUP}/${version}`,
    resources: SUBRESOURCE_ROUTES.filter(({ isHidden }) => isHidden !== true).map(({ name, isNamespaced }) => ({
      name,
      singularName: '',
      namespaced: isNamespaced,
      kind: '',
      verbs: [],
    })),
  };
}

/** What `/apis/subresources.kubevirt.io` answers. */
export function groupDocument(): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry() };
}

/** What `/apis` answers. */
export function groupList(): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: [groupEntry()] };
}

/** What `/` answers. */
export function rootPaths(): JsonObject {
  const versions = SUBRESOURCE_VERSIONS.map((version) => `/apis/${SUBRESOURCE_GROUP}/${version}`);
  return { paths: ['/apis', `/apis/${SUBRESOURCE_GROUP}`, ...versions, '/healthz', '/openapi/v2', '/openapi/v3'] };
}

function groupEntry(): JsonObject {
  const versions = SUBRESOURCE_VERSIONS.map((version) => ({
    groupVersion: `${SUBRESOURCE_GROUP}/${version}`,
    version,
  }));
  return { name: SUBRESOURCE_GROUP, versions, preferredVersion: versions[0] ?? {} };
}

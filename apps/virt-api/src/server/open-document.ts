import type { JsonObject } from '@smalt/json';

import { groupDocument, groupList, resourceList, rootPaths } from '../subresources/discovery-documents.ts';
import { SUBRESOURCE_GROUP, SUBRESOURCE_VERSIONS } from '../subresources/find-subresource.ts';
import { openApiDocuments } from '../subresources/openapi-documents.ts';

/** What everybody may know: what there is here, and that it is there. Undefined for any other path. */
export function openDocument(given: string): JsonObject | undefined {
  const path = given === '/' ? given : given.replace(/\/$/, '');
  switch (path) {
    case '/':
      return rootPaths();
    case '/healthz':
      return { status: 'ok' };
    case '/apis':
      return groupList();
    case `/apis/${SUBRESOURCE_GROUP}`:
      return groupDocument();
    case '/openapi/v2':
      return mergedV2();
    case '/openapi/v3':
      return {
        paths: Object.fromEntries(SUBRESOURCE_VERSIONS.map((version) => [documentPath(version), urlOf(version)])),
      };
    default:
      return versionDocument(path);
  }
}

function versionDocument(path: string): JsonObject | undefined {
  const version = SUBRESOURCE_VERSIONS.find((each) => path.endsWith(`/${each}`));
  if (version === undefined) return undefined;
  if (path === `/${documentPath(version)}`) return resourceList(version);
  return path === `/openapi/v3/${documentPath(version)}` ? openApiDocuments(version).v3 : undefined;
}

function mergedV2(): JsonObject {
  const all = SUBRESOURCE_VERSIONS.map((version) => openApiDocuments(version).v2);
  const [first = {}] = all;
  return { ...first, paths: Object.assign({}, ...all.map(({ paths }) => paths)) };
}

function documentPath(version: string): string {
  return `apis/${SUBRESOURCE_GROUP}/${version}`;
}

function urlOf(version: string): JsonObject {
  return { serverRelativeURL: `/openapi/v3/${documentPath(version)}` };
}

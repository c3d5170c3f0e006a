import type { JsonObject } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';

/** Whether a webhook would have to turn objects of one version into another. */
export function isConvertedByWebhook(crd: JsonObject): boolean {
  return objectAt(objectAt(crd, 'spec'), 'conversion')['strategy'] === 'Webhook';
}

/** The version in which objects are stored. */
export function storageVersionName(crd: JsonObject): string {
  const version = objectsAt(objectAt(crd, 'spec'), 'versions').find(({ storage }) => storage === true);
  return version === undefined ? '' : textAt(version, 'name');
}

/** What the writer of a definition is told whose webhook is not going to be asked; undefined when all is well. */
export function conversionWarning(crd: JsonObject): string | undefined {
  if (!isConvertedByWebhook(crd)) return undefined;
  const version = goQuote(storageVersionName(crd));
  return `spec.conversion: conversion webhooks are not called, only the storage version ${version} is served`;
}

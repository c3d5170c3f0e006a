import { printFieldSelector, printLabelSelector } from '@smalt/kubernetes';

import type { ListOptions, SelectOptions, WatchOptions, WriteOptions } from './request-options.ts';

export function writeQuery(options: WriteOptions, fieldManager: string): URLSearchParams {
  return query({
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: options.fieldValidation ?? 'Strict',
    dryRun: options.dryRun === true ? 'All' : undefined,
  });
}

export function listQuery(options: ListOptions): URLSearchParams {
  return query({
    ...selectors(options),
    limit: options.limit,
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  });
}

export function watchQuery(options: WatchOptions): URLSearchParams {
  const isList = options.sendInitialEvents === true;
  return query({
    ...selectors(options),
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: options.resourceVersion,
    sendInitialEvents: isList ? 'true' : undefined,
    resourceVersionMatch: isList ? 'NotOlderThan' : undefined,
    timeoutSeconds: options.timeoutSeconds,
  });
}

function selectors({ labelSelector, fieldSelector }: SelectOptions): Record<string, string | undefined> {
  return {
    labelSelector: labelSelector && printLabelSelector(labelSelector),
    fieldSelector: fieldSelector && printFieldSelector(fieldSelector),
  };
}

function query(values: Readonly<Record<string, string | number | undefined>>): URLSearchParams {
  const result = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') result.set(name, String(value));
  }
  return result;
}

import type { Hypervisor } from '@smalt/fleet-api';

import { matchesText } from '../../../parts/data-table/matches-text.ts';
import { distinctValues, readFilters } from '../../../parts/filters/filters.ts';
import { systemOf, versionsOf } from '../host-facts.ts';
import { hostState } from '../host-state.ts';

/** What the list is narrowed to. It lives in the address, so that a view can be sent to somebody. */
export interface HostFilters {
  readonly text?: string;
  /** A state in the words of the list. */
  readonly state?: string;
}

/** Reads what the address says; anything else is left out. */
export function parseHostFilters(search: Readonly<Record<string, unknown>>): HostFilters {
  return readFilters(search, ['text', 'state']);
}

export function matchesHostFilters(host: Hypervisor, { text, state }: HostFilters): boolean {
  if (state !== undefined && hostState(host).words !== state) return false;
  const { metadata, status } = host;
  const words = [metadata.name, status?.internalIp ?? '', systemOf(host), ...versionsOf(host)].join(' ');
  return text === undefined || matchesText(text, words);
}

/** The states there are to choose from, sorted, each once. */
export function hostStates(hosts: readonly Hypervisor[]): readonly string[] {
  return distinctValues(hosts.map((host) => hostState(host).words));
}

import { matchesText } from '../../../parts/data-table/matches-text.ts';
import { distinctValues, readFilters } from '../../../parts/filters/filters.ts';
import { hostOf, addressesOf } from '../machine-facts.ts';
import { machineState } from '../machine-state.ts';
import type { Machine } from '../machine.ts';

/** What the list is narrowed to. It lives in the address, so that a view can be sent to somebody. */
export interface MachineFilters {
  readonly text?: string;
  /** A state in the words of the list. */
  readonly status?: string;
  readonly host?: string;
  readonly namespace?: string;
}

/** Reads what the address says; anything else is left out. */
export function parseMachineFilters(search: Readonly<Record<string, unknown>>): MachineFilters {
  return readFilters(search, ['text', 'status', 'host', 'namespace']);
}

export function matchesFilters(machine: Machine, { text, status, host, namespace }: MachineFilters): boolean {
  if (namespace !== undefined && machine.namespace !== namespace) return false;
  if (host !== undefined && hostOf(machine) !== host) return false;
  if (status !== undefined && machineState(machine).words !== status) return false;
  return text === undefined || matchesText(text, `${machine.key} ${hostOf(machine)} ${addressesOf(machine).join(' ')}`);
}

/** The values there are to choose from, sorted, each once. */
export function filterChoices(machines: readonly Machine[]): {
  readonly statuses: readonly string[];
  readonly hosts: readonly string[];
  readonly namespaces: readonly string[];
} {
  return {
    statuses: distinctValues(machines.map((machine) => machineState(machine).words)),
    hosts: distinctValues(machines.map(hostOf)),
    namespaces: distinctValues(machines.map(({ namespace }) => namespace)),
  };
}

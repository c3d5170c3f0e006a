import type { MigrationConfiguration } from '@smalt/vm-api';

import { migrationSettings, type MigrationSettings } from './migration-settings.ts';

type Labels = Readonly<Record<string, string>>;

/** A MigrationPolicy, as far as it is read. */
export interface MigrationPolicy {
  readonly name: string;
  readonly selectors?: { readonly instance?: Labels; readonly namespace?: Labels };
  readonly settings: MigrationConfiguration;
}

export interface PolicyFacts {
  readonly policies: readonly MigrationPolicy[];
  readonly instanceLabels: Labels;
  readonly namespaceLabels: Labels;
  readonly configuration: MigrationConfiguration | undefined;
}

export interface ChosenSettings {
  readonly settings: MigrationSettings;
  readonly policyName?: string;
}

/** The settings of one migration: those of the cluster, and over them those of the policy that fits best. */
export function choosePolicy({
  policies,
  instanceLabels,
  namespaceLabels,
  configuration,
}: PolicyFacts): ChosenSettings {
  const fitting = policies.flatMap((policy) => {
    const { instance = {}, namespace = {} } = policy.selectors ?? {};
    const isMeant =
      policy.selectors !== undefined && hasAll(instanceLabels, instance) && hasAll(namespaceLabels, namespace);
    const ofInstance = Object.keys(instance).length;
    return isMeant ? [{ policy, total: ofInstance + Object.keys(namespace).length, ofInstance }] : [];
  });
  const [best] = fitting.toSorted(
    (left, right) =>
      right.total - left.total || right.ofInstance - left.ofInstance || (left.policy.name < right.policy.name ? -1 : 1),
  );
  if (best === undefined) return { settings: migrationSettings(configuration) };
  const { name, settings } = best.policy;
  // A policy that allows post-copy allows its disturbance too, unless it says otherwise.
  const disruption =
    settings.allowWorkloadDisruption === undefined && settings.allowPostCopy !== undefined
      ? { allowWorkloadDisruption: settings.allowPostCopy }
      : {};
  return {
    policyName: name,
    settings: migrationSettings({ ...migrationSettings(configuration), ...settings, ...disruption }),
  };
}

function hasAll(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

import type { JsonObject } from '@smalt/json';
import type { AccessReviews } from '@smalt/kubernetes-callers';
import { refusalOfCauses } from '@smalt/vm-admission';
import {
  migrationPolicyKind,
  virtualMachineInstancetypeKind,
  virtualMachineKind,
  virtualMachinePoolKind,
} from '@smalt/vm-api';

import type { ObjectWriter } from '../cluster/cluster-objects.ts';
import { refusal } from '../virt-api-error.ts';
import type { AdmissionDeps, AdmissionRules, Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { admitEviction } from './admit-eviction.ts';
import { instanceRules } from './instance-rules.ts';
import { validateLauncherPod } from './launcher-pod-rules.ts';
import { machineRules } from './machine-rules.ts';
import { instancetypeRules } from './instancetype-rules.ts';
import { migrationPolicyRules } from './migration-policy-rules.ts';
import { migrationRules } from './migration-rules.ts';
import type { KnownPlural } from './object-shapes.ts';
import { poolRules } from './pool-rules.ts';
import { preferenceRules } from './preference-rules.ts';
import { presetRules } from './preset-rules.ts';
import { replicaSetRules } from './replica-set-rules.ts';

export interface VirtAdmissionDeps extends AdmissionDeps {
  readonly writer: Pick<ObjectWriter, 'patch'>;
  readonly access: Pick<AccessReviews, 'may'>;
}

/** Says of every write whether it is taken, and as what. The same for a server in this process and for webhooks. */
export interface VirtAdmission {
  /** The object as it is to be stored. Never refuses. */
  mutate(write: AdmissionWrite, signal: AbortSignal): Promise<JsonObject | undefined> | JsonObject | undefined;
  /** Resolves with warnings, or rejects with a refusal that names every cause. */
  validate(write: AdmissionWrite, signal: AbortSignal): Promise<readonly string[]>;
  /** Rejects with a refusal when the object does not have the form of its kind. For who has not checked that. */
  checkShape(write: AdmissionWrite): void;
}

/** The groups whose writes are judged here. */
export const ADMITTED_GROUPS: ReadonlySet<string> = new Set([
  virtualMachineKind.group,
  virtualMachineInstancetypeKind.group,
  migrationPolicyKind.group,
  virtualMachinePoolKind.group,
]);
const RULES: Readonly<Record<KnownPlural, AdmissionRules>> = {
  virtualmachines: machineRules,
  virtualmachineinstances: instanceRules,
  virtualmachineinstancemigrations: migrationRules,
  virtualmachineinstancereplicasets: replicaSetRules,
  virtualmachineinstancepresets: presetRules,
  virtualmachinepools: poolRules,
  virtualmachineinstancetypes: instancetypeRules('virtualmachineinstancetypes'),
  virtualmachineclusterinstancetypes: instancetypeRules('virtualmachineclusterinstancetypes'),
  virtualmachinepreferences: preferenceRules('virtualmachinepreferences'),
  virtualmachineclusterpreferences: preferenceRules('virtualmachineclusterpreferences'),
  migrationpolicies: migrationPolicyRules,
};

/** Admission of all kinds that are declared in `@smalt/vm-api`, and of launcher pods and evictions of these. */
export function virtAdmission(deps: VirtAdmissionDeps): VirtAdmission {
  return {
    mutate: (write, signal) => {
      const plural = knownPlural(write);
      const rules = plural === undefined ? undefined : RULES[plural];
      return rules?.mutate === undefined ? write.object : rules.mutate(deps, write, signal);
    },
    validate: async (write, signal) => {
      if (isEviction(write)) await admitEviction(deps, write, signal);
      const verdict = await judge(deps, write, signal);
      if (verdict === undefined) return [];
      if (verdict.causes.length > 0) throw refusal(refusalOfCauses(verdict.causes));
      return verdict.warnings ?? [];
    },
    checkShape: ({ object, ...write }) => {
      const plural = knownPlural({ ...write, object });
      const causes = plural === undefined || object === undefined ? [] : deps.shapes.causes(plural, object);
      if (causes.length > 0) throw refusal(refusalOfCauses(causes));
    },
  };
}

async function judge(deps: AdmissionDeps, write: AdmissionWrite, signal: AbortSignal): Promise<Verdict | undefined> {
  if (isPod(write)) return validateLauncherPod(deps, write);
  const plural = knownPlural(write);
  return plural === undefined ? undefined : await RULES[plural].validate?.(deps, write, signal);
}

/** The kind that is written; undefined for those of others, and for parts of objects that are nobody's but a controller's. */
function knownPlural({ group, plural, subresource }: AdmissionWrite): KnownPlural | undefined {
  // The plurals are all different, so that none is taken for one of another group.
  if (!ADMITTED_GROUPS.has(group) || subresource !== '' || !Object.hasOwn(RULES, plural)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is one of the names, as was just seen
  return plural as KnownPlural;
}

function isEviction({ group, plural, subresource, operation }: AdmissionWrite): boolean {
  return group === '' && plural === 'pods' && subresource === 'eviction' && operation === 'CREATE';
}

function isPod({ group, plural, subresource }: AdmissionWrite): boolean {
  // A write of the status may bring labels.
  return group === '' && plural === 'pods' && (subresource === '' || subresource === 'status');
}

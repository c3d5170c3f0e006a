import { isJsonArray, isJsonObject, type JsonObject } from '@smalt/json';
import { WellKnownName } from '@smalt/vm-api';

import { NOTHING_WRONG, type AdmissionDeps, type Verdict } from './admission-rules.ts';
import type { AdmissionWrite } from './admission-write.ts';
import { requesterOf } from './requester-of.ts';

/** By what a pod counts as the launcher of an instance. */
interface LauncherMarks {
  readonly createdBy: string;
  /** The uids of the instances that own it. */
  readonly owners: readonly string[];
}

/**
 * The rules for pods: only virt-controller makes launchers, for what is in their volumes becomes part of the guest. An owner
 * may be taken away, as is done for an instance that goes without its pods.
 */
export function validateLauncherPod(
  { controlPlane }: Pick<AdmissionDeps, 'controlPlane'>,
  write: AdmissionWrite,
): Verdict {
  const { operation, object, oldObject, user } = write;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return NOTHING_WRONG;
  if (requesterOf(user, controlPlane).kind === 'controller') return NOTHING_WRONG;
  const marks = marksOf(object);
  const old = marksOf(operation === 'UPDATE' ? oldObject : undefined);
  const label = `metadata.labels[${WellKnownName.createdByLabel}]`;
  const fields = [
    ...(marks.createdBy === old.createdBy ? [] : [label]),
    ...(marks.owners.every((uid) => old.owners.includes(uid)) ? [] : ['metadata.ownerReferences']),
  ];
  return { causes: fields.map(causeOf) };
}

function causeOf(field: string) {
  const message = `${field}: only virt-controller makes pods the launchers of virtual machines; leave it as it is`;
  return { type: 'FieldValueForbidden', field, message } as const;
}

function marksOf(pod: JsonObject | undefined): LauncherMarks {
  const metadata = isJsonObject(pod?.['metadata']) ? pod['metadata'] : {};
  const labels = isJsonObject(metadata['labels']) ? metadata['labels'] : {};
  const createdBy = labels[WellKnownName.createdByLabel];
  const references = isJsonArray(metadata['ownerReferences']) ? metadata['ownerReferences'] : [];
  return {
    createdBy: typeof createdBy === 'string' ? createdBy : '',
    owners: references
      .filter(isJsonObject)
      .filter(({ apiVersion, kind }) => kind === 'VirtualMachineInstance' && isOurGroup(apiVersion))
      .map(({ uid }) => (typeof uid === 'string' ? uid : '')),
  };
}

function isOurGroup(apiVersion: unknown): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith('kubevirt.io/');
}

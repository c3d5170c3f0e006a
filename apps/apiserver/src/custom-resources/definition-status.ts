import type { JsonObject } from '@smalt/json';

import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { metadataOf } from '../registry/object-metadata.ts';
import { acceptNames, type ClaimedNames } from './accept-names.ts';
import { isConditionTrue, withCondition, type DefinitionCondition } from './definition-conditions.ts';

const APPROVAL = 'api-approved.kubernetes.io';
const PROTECTED_GROUP = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

const ESTABLISHED: DefinitionCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const NOT_ACCEPTED: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

/** The status that a definition should have, given the names that others of its group hold. */
export function definitionStatus(crd: JsonObject, claimed: ClaimedNames, now: number): JsonObject {
  const before = objectAt(crd, 'status');
  const { names, condition } = acceptNames(crd, claimed);
  const named = withCondition({ ...before, acceptedNames: names }, condition, now);
  const isKnown = objectsAt(named, 'conditions').some(({ type }) => type === 'Established');
  const established = condition.status === 'True' ? ESTABLISHED : NOT_ACCEPTED;
  // What was established once stays so: its objects must not become unreachable for a name.
  const settled =
    isConditionTrue(named, 'Established') || (isKnown && condition.status === 'False')
      ? named
      : withCondition(named, established, now);
  const approval = approvalCondition(crd);
  return approval === undefined ? settled : withCondition(settled, approval, now);
}

function approvalCondition(crd: JsonObject): DefinitionCondition | undefined {
  if (!PROTECTED_GROUP.test(textAt(objectAt(crd, 'spec'), 'group'))) return undefined;
  const annotation = textAt(objectAt(metadataOf(crd), 'annotations'), APPROVAL);
  const type = 'KubernetesAPIApprovalPolicyConformant';
  if (annotation.startsWith('unapproved')) {
    const message = `not approved: ${JSON.stringify(annotation)}`;
    return { type, status: 'False', reason: 'UnapprovedAnnotation', message };
  }
  if (annotation === '') {
    const message = `protected groups must have approval annotation "${APPROVAL}", see https://github.com/kubernetes/enhancements/pull/1111`;
    return { type, status: 'False', reason: 'MissingAnnotation', message };
  }
  return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${annotation}` };
}

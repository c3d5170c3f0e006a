import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { fieldOf } from '@smalt/kubernetes-callers';

import type { AdmissionWrite } from '../admission/admission-write.ts';
import type { AskingUser } from '../admission/requester-of.ts';
import { refusal, statusOf, type VirtApiError } from '../virt-api-error.ts';

/** A review as the API server sends it. */
export interface ReceivedReview {
  readonly uid: string;
  readonly write: AdmissionWrite;
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** Reads an AdmissionReview of v1, and notes whether its sender has shown to be an API server. Refuses, with the field, what is none. */
export function readAdmissionReview(value: JsonObject, isProven: boolean): ReceivedReview {
  const { kind, apiVersion, request } = value;
  if (kind !== 'AdmissionReview' || apiVersion !== 'admission.k8s.io/v1') {
    throw malformed('kind and apiVersion have to be AdmissionReview of admission.k8s.io/v1');
  }
  if (!isJsonObject(request)) throw malformed('request is missing');
  const operation = OPERATIONS.find((known) => known === request['operation']);
  if (operation === undefined) throw malformed(`request.operation has to be one of ${OPERATIONS.join(', ')}`);
  const uid = textOf(request['uid']);
  if (uid === '') throw malformed('request.uid is missing');
  const resource = request['resource'];
  if (!isJsonObject(resource)) throw malformed('request.resource is missing');
  return {
    uid,
    write: {
      operation,
      group: textOf(resource['group']),
      plural: textOf(resource['resource']),
      subresource: textOf(request['subResource']),
      namespace: textOf(request['namespace']),
      name: textOf(request['name']),
      object: objectOf(request['object']),
      oldObject: objectOf(request['oldObject']),
      user: userOf(request['userInfo']),
      dryRun: request['dryRun'] === true,
      isProven,
    },
  };
}

function userOf(info: unknown): AskingUser {
  const extra = fieldOf(info, 'extra');
  const entries = typeof extra === 'object' && extra !== null ? Object.entries(extra) : [];
  return {
    name: textOf(fieldOf(info, 'username')),
    groups: textsOf(fieldOf(info, 'groups')),
    extra: Object.fromEntries(entries.map(([name, values]) => [name, textsOf(values)])),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function malformed(why: string): VirtApiError {
  return refusal(statusOf(400, `this is no AdmissionReview: ${why}`));
}

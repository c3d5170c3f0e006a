import { der, objectIdentifier, sequence, TAG, utf8String } from './write-der.ts';

/** The types of attributes that a subject has here. */
export const SUBJECT_TYPE = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;

/** Whom a certificate is about: for Kubernetes the name of a user and the groups. */
export interface Subject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

export function writeSubject({ commonName, organizations }: Subject): Buffer {
  return sequence(
    ...organizations.map((organization) => attribute(SUBJECT_TYPE.organization, organization)),
    ...(commonName === '' ? [] : [attribute(SUBJECT_TYPE.commonName, commonName)]),
  );
}

function attribute(type: string, text: string): Buffer {
  return der(TAG.set, sequence(objectIdentifier(type), utf8String(text)));
}

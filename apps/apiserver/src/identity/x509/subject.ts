import { SUBJECT_TYPE, TAG, type Subject } from '@smalt/x509';

import { childrenOf, expectTag, readDer, readObjectIdentifier, type DerValue } from './read-der.ts';

/** Reads a subject; attributes other than the common name and the organization are passed over. */
export function readSubject(name: DerValue): Subject {
  const attributes = childrenOf(name).flatMap((set) =>
    childrenOf(expectTag(set, TAG.set, 'a part of the subject')).map((part) => {
      const [type, value] = childrenOf(part);
      const identifier = expectTag(type, TAG.objectIdentifier, 'the type of a part of the subject');
      return { type: readObjectIdentifier(identifier), text: value === undefined ? '' : readText(value) };
    }),
  );
  const textsOf = (type: string): readonly string[] =>
    attributes.filter((each) => each.type === type).map(({ text }) => text);
  return {
    commonName: textsOf(SUBJECT_TYPE.commonName).at(-1) ?? '',
    organizations: textsOf(SUBJECT_TYPE.organization),
  };
}

/** The subject of a certificate in DER form. */
export function subjectOfCertificate(certificate: Buffer): Subject {
  return readSubject(readDer(rawSubjectOfCertificate(certificate)));
}

/** The bytes of the subject, which stand as the issuer in whatever is signed with its key. */
export function rawSubjectOfCertificate(certificate: Buffer): Buffer {
  const [signed] = childrenOf(readDer(certificate));
  const fields = childrenOf(expectTag(signed, TAG.sequence, 'the certificate'));
  // The version is optional, and the subject comes after serial, algorithm, issuer and validity.
  const offset = fields[0]?.tag === 0xa0 ? 1 : 0;
  return expectTag(fields[offset + 4], TAG.sequence, 'the subject').raw;
}

function readText({ tag, content }: DerValue): string {
  if (tag === TAG.bmpString) return Buffer.from(content).swap16().toString('utf16le');
  return content.toString(tag === TAG.teletexString ? 'latin1' : 'utf8');
}

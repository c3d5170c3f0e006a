import type { JsonObject } from '@smalt/json';
import { forbidden, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1123Subdomain } from '@smalt/kubernetes';

import { certificateSigningRequestColumns } from '../columns/access-columns.ts';
import { withField } from '../edit-object.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt, textsAt } from '../read-path.ts';
import type { KindRules } from './kind-rules.ts';

const MIN_SECONDS = 600;
const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

export const certificateSigningRequestRules: KindRules = {
  columns: certificateSigningRequestColumns,
  selectableFields: { 'spec.signerName': (csr) => textAt(csr, 'spec', 'signerName') },
  validate: (csr) => validateRequest(objectAt(csr, 'spec')),
  // What was asked for stays as it was asked; a new request is made for anything else.
  prepareForUpdate: (csr, old) => withField(csr, 'spec', objectAt(old, 'spec')),
  validateStatusUpdate: (csr, old) => [
    ...validateConditions(csr),
    ...['Approved', 'Denied', 'Failed'].flatMap((type) =>
      conditionOf(old, type) !== undefined && conditionOf(csr, type) === undefined
        ? [forbidden('status.conditions', `updates may not remove a condition of type "${type}"`)]
        : [],
    ),
    ...validateCertificate(csr, old),
  ],
};

function validateRequest(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const pem = Buffer.from(textAt(spec, 'request'), 'base64').toString();
  if (!/^-----BEGIN CERTIFICATE REQUEST-----[\s\S]+-----END CERTIFICATE REQUEST-----/m.test(pem)) {
    errors.push(invalid('spec.request', textAt(spec, 'request'), 'PEM block type must be CERTIFICATE REQUEST'));
  }
  const usages = textsAt(spec, 'usages');
  if (usages.length === 0) errors.push(required('spec.usages'));
  usages.forEach((usage, index) => {
    if (!USAGES.includes(usage)) errors.push(notSupported(`spec.usages[${index}]`, usage, USAGES));
  });
  errors.push(...validateSigner(textAt(spec, 'signerName')));
  const seconds = numberAt(spec, 'expirationSeconds');
  if (isGivenAt(spec, 'expirationSeconds') && seconds < MIN_SECONDS) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid('spec.expirationSeconds', seconds, detail));
  }
  return errors;
}

function validateSigner(name: string): readonly FieldError[] {
  const field = 'spec.signerName';
  if (name === '') return [required(field)];
  if (name === 'kubernetes.io/legacy-unknown') {
    return [invalid(field, name, 'the legacy signerName is not allowed via this API version')];
  }
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    return [invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const problems = checkDns1123Subdomain(domain).map((problem) => invalid(field, domain, problem));
  return domain.includes('.')
    ? problems
    : [...problems, invalid(field, domain, 'should be a domain with at least two segments separated by dots')];
}

function validateConditions(csr: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = itemsAt(csr, 'status', 'conditions').flatMap((condition, index) =>
    textAt(condition, 'type') === '' ? [required(`status.conditions[${index}].type`)] : [],
  );
  if (conditionOf(csr, 'Approved') !== undefined && conditionOf(csr, 'Denied') !== undefined) {
    const detail = 'Approved and Denied conditions are mutually exclusive';
    errors.push(invalid('status.conditions', 'Denied', detail));
  }
  return errors;
}

function validateCertificate(csr: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = textAt(old, 'status', 'certificate');
  return before === '' || before === textAt(csr, 'status', 'certificate')
    ? []
    : [forbidden('status.certificate', 'updates may not modify existing certificate content')];
}

function conditionOf(csr: JsonObject, type: string): JsonObject | undefined {
  return itemsAt(csr, 'status', 'conditions').find((condition) => textAt(condition, 'type') === type);
}

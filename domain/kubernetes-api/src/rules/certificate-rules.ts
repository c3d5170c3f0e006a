import { isSameJson, type JsonObject } from '@smalt/json';
import { duplicate, forbidden, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1123Subdomain } from '@smalt/kubernetes';

import { certificateSigningRequestColumns } from '../columns/access-columns.ts';
import { withField } from '../edit-object.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt, textsAt } from '../read-path.ts';
import type { KindRules } from './kind-rules.ts';

const MIN_SECONDS = 600;
const CONDITIONS = 'status.conditions';
const DECISIONS = ['Approved', 'Denied'];
const LASTING = [...DECISIONS, 'Failed'];
const ANY_STATUS = ['False', 'True', 'Unknown'];
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
    ...validateApproval(csr, old),
    ...DECISIONS.flatMap((type) => validateDecision(type, csr, old)),
    ...validateCertificate(csr, old),
  ],
};

/** Checks the conditions that an approver sets. Whoever writes the status may not even set those that decide. */
export function validateApproval(csr: JsonObject, old: JsonObject): readonly FieldError[] {
  return [
    ...validateConditions(csr),
    ...LASTING.flatMap((type) =>
      conditionsOf(csr, type).length < conditionsOf(old, type).length
        ? [forbidden(CONDITIONS, `updates may not remove a condition of type "${type}"`)]
        : [],
    ),
  ];
}

function validateDecision(type: string, csr: JsonObject, old: JsonObject): readonly FieldError[] {
  const [next, before] = [conditionsOf(csr, type), conditionsOf(old, type)];
  if (next.length < before.length || isSameJson(next, before)) return [];
  const verb = next.length > before.length ? 'add' : 'modify';
  return [forbidden(CONDITIONS, `updates may not ${verb} a condition of type "${type}"`)];
}

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
  const seen = new Set<string>();
  return itemsAt(csr, 'status', 'conditions').flatMap((condition, index) => {
    const type = textAt(condition, 'type');
    const errors = [...validateCondition(condition, `${CONDITIONS}[${index}]`)];
    if (DECISIONS.some((other) => other !== type && DECISIONS.includes(type) && seen.has(other))) {
      errors.push(invalid(CONDITIONS, type, 'Approved and Denied conditions are mutually exclusive'));
    }
    if (seen.has(type)) errors.push(duplicate(`${CONDITIONS}[${index}].type`, type));
    seen.add(type);
    return errors;
  });
}

function validateCondition(condition: JsonObject, field: string): readonly FieldError[] {
  const type = textAt(condition, 'type');
  const status = textAt(condition, 'status');
  const allowed = LASTING.includes(type) ? ['True'] : ANY_STATUS;
  const errors: FieldError[] = type === '' ? [required(`${field}.type`)] : [];
  if (status === '') errors.push(required(`${field}.status`));
  else if (!allowed.includes(status)) errors.push(notSupported(`${field}.status`, status, allowed));
  return errors;
}

function validateCertificate(csr: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = textAt(old, 'status', 'certificate');
  return before === '' || before === textAt(csr, 'status', 'certificate')
    ? []
    : [forbidden('status.certificate', 'updates may not modify existing certificate content')];
}

function conditionsOf(csr: JsonObject, type: string): readonly JsonObject[] {
  return itemsAt(csr, 'status', 'conditions').filter((condition) => textAt(condition, 'type') === type);
}

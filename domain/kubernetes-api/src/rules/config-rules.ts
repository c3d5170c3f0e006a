import { isJsonObject, type JsonObject } from '@smalt/json';
import { forbidden, invalid, required, tooLong, type FieldError } from '@smalt/resource';
import { checkConfigMapKey } from '@smalt/kubernetes';

import { configMapColumns, secretColumns } from '../columns/core-columns.ts';
import { fillIn, withField, withoutField } from '../edit-object.ts';
import { isTrueAt, objectAt, textAt, textOf } from '../read-path.ts';
import { checkUnchanged, isSameAt } from '../validation/check-field.ts';
import type { KindRules } from './kind-rules.ts';

const MAX_BYTES = 1024 * 1024;
const WHEN_IMMUTABLE = 'field is immutable when `immutable` is set';

/** The keys that a Secret of a type must have. Of those joined by a bar one is enough. */
const SECRET_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/ssh-auth', ['ssh-privatekey']],
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
]);

export const configMapRules: KindRules = {
  columns: configMapColumns,
  validate: (object) => {
    const data = objectAt(object, 'data');
    const binary = objectAt(object, 'binaryData');
    const errors = [...validateKeys(data, 'data'), ...validateKeys(binary, 'binaryData')];
    for (const key of Object.keys(data).filter((name) => Object.hasOwn(binary, name))) {
      errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    if (textBytes(data) + decodedBytes(binary) > MAX_BYTES) errors.push(tooLong('[]', MAX_BYTES));
    return errors;
  },
  validateUpdate: (object, old) => validateImmutable(object, old, ['data', 'binaryData']),
};

export const secretRules: KindRules = {
  columns: secretColumns,
  selectableFields: { type: (secret) => textAt(secret, 'type') },
  default: (secret) => mergeTexts(fillIn(secret, { type: 'Opaque' })),
  validate: (secret) => {
    const data = objectAt(secret, 'data');
    const errors = [...validateKeys(data, 'data')];
    if (decodedBytes(data) > MAX_BYTES) errors.push(tooLong('data', MAX_BYTES));
    return [...errors, ...validateSecretType(secret, data)];
  },
  validateUpdate: (secret, old) => [
    ...checkUnchanged(secret, old, 'type'),
    ...validateImmutable(secret, old, ['data']),
  ],
};

/** The texts of a Secret become bytes on the way in, and are never shown again. */
function mergeTexts(secret: JsonObject): JsonObject {
  const texts = secret['stringData'];
  if (!isJsonObject(texts)) return secret;
  const bytes = Object.entries(texts).map(([key, text]) => [key, Buffer.from(textOf(text)).toString('base64')]);
  const data = { ...objectAt(secret, 'data'), ...Object.fromEntries(bytes) };
  return withField(withoutField(secret, 'stringData'), 'data', data);
}

function validateKeys(data: JsonObject, path: string): FieldError[] {
  return Object.keys(data).flatMap((key) =>
    checkConfigMapKey(key).map((problem) => invalid(`${path}[${key}]`, key, problem)),
  );
}

function validateSecretType(secret: JsonObject, data: JsonObject): readonly FieldError[] {
  const type = textAt(secret, 'type');
  if (type === 'kubernetes.io/service-account-token') {
    const key = 'kubernetes.io/service-account.name';
    const account = textAt(secret, 'metadata', 'annotations', key);
    return account === '' ? [required(`metadata.annotations[${key}]`)] : [];
  }
  if (type === 'kubernetes.io/basic-auth') {
    const keys = ['username', 'password'];
    return keys.some((key) => Object.hasOwn(data, key)) ? [] : keys.map((key) => required(`data[${key}]`));
  }
  const missing = (SECRET_KEYS.get(type) ?? []).filter((key) => !Object.hasOwn(data, key));
  if (missing.length > 0) return missing.map((key) => required(`data[${key}]`));
  return type.startsWith('kubernetes.io/docker') ? validateDocker(data, SECRET_KEYS.get(type)?.[0] ?? '') : [];
}

function validateDocker(data: JsonObject, key: string): readonly FieldError[] {
  const field = `data[${key}]`;
  try {
    const config: unknown = JSON.parse(Buffer.from(textAt(data, key), 'base64').toString());
    return isJsonObject(config) ? [] : [invalid(field, '<secret contents redacted>', 'must be a JSON object')];
  } catch (error) {
    // Go's words depend on its parser; the message of this one may not repeat what stands in a secret.
    if (!(error instanceof SyntaxError)) throw error;
    return [invalid(field, '<secret contents redacted>', 'invalid character in the JSON text')];
  }
}

function validateImmutable(object: JsonObject, old: JsonObject, names: readonly string[]): readonly FieldError[] {
  if (!isTrueAt(old, 'immutable')) return [];
  return [
    ...(isTrueAt(object, 'immutable') ? [] : [forbidden('immutable', WHEN_IMMUTABLE)]),
    ...names.filter((name) => !isSameAt(object, old, name)).map((name) => forbidden(name, WHEN_IMMUTABLE)),
  ];
}

function textBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(textOf(value)), 0);
}

function decodedBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(textOf(value), 'base64'), 0);
}

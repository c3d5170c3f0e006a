export { findDuplicateFields } from './find-duplicate-fields.ts';
export { isDeeperThan } from './is-deeper-than.ts';
export { JsonError, type JsonErrorCode } from './json-error.ts';
export { isSameJson } from './is-same-json.ts';
export { isJsonArray, isJsonObject, jsonField, type JsonObject, type JsonValue } from './json-value.ts';
export { parseJson } from './parse-json.ts';
export { printJson } from './print-json.ts';

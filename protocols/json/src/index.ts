export { findDuplicateFields } from './find-duplicate-fields.ts';
export { JsonError, type JsonErrorCode } from './json-error.ts';
export { isJsonObject, type JsonObject, type JsonValue } from './json-value.ts';
export { parseJson } from './parse-json.ts';
export { printJson } from './print-json.ts';

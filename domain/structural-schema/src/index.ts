export { checkStructural } from './check-structural.ts';
export { compileSchema, type CompiledSchema, type ValidateOptions } from './compile-schema.ts';
export { crdResource, crdResources } from './crd-resource.ts';
export { defaultCustomResourceDefinition } from './default-crd.ts';
export { objectMetaSchema, typeMetaSchemas } from './metadata-schema.ts';
export { printerColumn, type PrinterColumn } from './printer-column.ts';
export { readJsonPath, type JsonPath } from './read-json-path.ts';
export { isInvalidJsonPath, StructuralSchemaError, type StructuralSchemaErrorCode } from './structural-schema-error.ts';
export { validateCustomResourceDefinition } from './validate-crd.ts';

export type { FieldError, FieldErrorReason } from './field-error.ts';
export type { Column, OtherSubresource, Resource, ScaleMapping, Strategy, Verb } from './resource.ts';
export type { GroupVersionKind, Schema, ValidationRule } from './schema.ts';

import type { JsonObject, JsonValue } from '@smalt/json';

/** What a PATCH request carries. */
export type Patch =
  | { readonly kind: 'json' | 'merge' | 'strategic'; readonly body: JsonValue }
  | { readonly kind: 'apply'; readonly body: JsonObject; readonly force: boolean };

/** The media types of the patches that a custom resource takes. */
export const CUSTOM_RESOURCE_PATCH_TYPES: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

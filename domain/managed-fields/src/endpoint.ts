import type { Schema } from '@smalt/resource';

/** Where writes of one kind come in: the main endpoint or one of its subresources. Make one and keep it. */
export interface Endpoint {
  /** Of the whole object, metadata included. */
  readonly schema: Schema;
  /** The group and version that is written, such as `v1` or `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for the main endpoint. */
  readonly subresource: string;
  /**
   * A built-in kind counts its structs as there before anything was written, so nobody owns `spec` itself. A custom
   * kind starts with nothing.
   */
  readonly isBuiltIn: boolean;
  /**
   * Fields that writers through this endpoint cannot change and therefore never own, each a path of names. For kinds
   * with a status subresource: `status` on the main endpoint, `metadata` and `spec` on the other.
   */
  readonly resetFields: readonly (readonly string[])[];
}

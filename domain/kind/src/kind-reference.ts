/** How a kind is addressed, and the type of its objects. It is small enough to be part of every program. */
export interface KindReference<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** Never set; it carries the type. */
  readonly object?: T;
}

/** The objects of a kind: `KindObject<typeof hypervisorKind>` is `Hypervisor`. */
export type KindObject<Reference> = Reference extends KindReference<infer T> ? T : never;

import type { Store } from '../store/store.ts';
import type { Admission } from './admission.ts';
import type { FieldOwners } from './field-owners.ts';
import type { ServedObjects } from './served-object.ts';

/** What the verbs work with. */
export interface RegistryDependencies {
  readonly store: Store;
  readonly admission: Admission;
  readonly served: ServedObjects;
  readonly owners: FieldOwners;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly randomUuid: () => string;
  /** A whole number from 0 up to, not including, the given one. */
  readonly randomInt: (below: number) => number;
}

/** Who asks. */
export interface RequestUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** How a write is to be done, apart from what is written. */
export interface WriteContext {
  readonly user: RequestUser;
  /** Everything is done but storing. */
  readonly dryRun: boolean;
  /** The name under which the written fields are recorded. */
  readonly fieldManager: string;
  /** What becomes of fields that are unknown or stand twice: refused, named in a warning, or dropped silently. */
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** The paths of the fields that stood twice in the body. */
  readonly duplicateFields: readonly string[];
  readonly addWarning: (text: string) => void;
  /** Called before a change makes an object that was not there; throws a 403 unless the user may create it. */
  readonly authorizeCreate: () => void;
  readonly signal: AbortSignal;
}

/** Which object is meant; the namespace is empty for a resource without namespaces. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** Which part of an object is written: all but its status, only the status, or only the finalizers in the spec of a namespace. */
export type Subresource = '' | 'status' | 'finalize';

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** How an object is to be deleted. */
export interface DeleteOptions {
  readonly propagationPolicy?: PropagationPolicy;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

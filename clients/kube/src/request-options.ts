import type { FieldSelector, LabelSelector } from '@smalt/kubernetes';

import type { KubeError } from './kube-error.ts';

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The client's own namespace if not given; cluster-wide kinds have none. */
  readonly namespace?: string | undefined;
}

export interface WriteOptions extends ReadOptions {
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
  /** Strict unless told otherwise: a field that the server does not know is an error, not a surprise. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

/** A write that may be meant for a subresource of the object, such as `status`. */
export interface SubresourceOptions extends WriteOptions {
  readonly subresource?: string | undefined;
}

export interface ApplyOptions extends SubresourceOptions {
  /** Whether to take fields over that another manager owns. */
  readonly force?: boolean | undefined;
}

export interface SelectOptions {
  readonly signal?: AbortSignal | undefined;
  /** All namespaces if not given. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: LabelSelector | undefined;
  readonly fieldSelector?: FieldSelector | undefined;
}

/** A read that may have to be tried more than once. */
export interface PatientOptions {
  /** Told of each attempt that failed and is made again; `delayMs` is how long until then. */
  readonly onRetry?: ((error: KubeError, delayMs: number) => void) | undefined;
}

export interface ListOptions extends SelectOptions, PatientOptions {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface WatchOptions extends SelectOptions, PatientOptions {
  /** What was seen last; the watch goes on after it. */
  readonly resourceVersion?: string | undefined;
  /** Whether the watch begins with all objects there are, and a bookmark that says when these were all. */
  readonly sendInitialEvents?: boolean | undefined;
  /** How long the server keeps the watch open. */
  readonly timeoutSeconds?: number | undefined;
  /** After how long without a word a watch counts as lost; servers send bookmarks about once a minute. */
  readonly idleTimeoutMs?: number | undefined;
  /** Told when the server has taken the watch: what happens from then on comes over it. */
  readonly onOpen?: (() => void) | undefined;
}

export interface DeleteOptions extends ReadOptions {
  readonly dryRun?: boolean | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  /** Delete only if the object is still this one. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

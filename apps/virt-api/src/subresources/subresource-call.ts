import type { JsonObject } from '@smalt/json';
import type { ClusterSettings } from '@smalt/vm-admission';

import type { VirtAdmission } from '../admission/virt-admission.ts';
import type { ObjectReader, ObjectWriter } from '../cluster/cluster-objects.ts';
import type { NodeCalls } from '../handler/node-calls.ts';
import type { SubresourceRequest } from './find-subresource.ts';
import type { SubresourceAnswer } from './subresource-answer.ts';

/** What the subresources work with. */
export interface SubresourceDeps {
  readonly objects: ObjectReader & ObjectWriter;
  readonly settings: ClusterSettings;
  readonly nodes: NodeCalls;
  readonly admission: Pick<VirtAdmission, 'mutate' | 'checkShape'>;
  /** What `version` answers. */
  readonly version: JsonObject;
}

/** A request that its sender may make. */
export interface SubresourceCall {
  readonly request: SubresourceRequest;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/** Serves one subresource. What it refuses is thrown. */
export type SubresourceAction = (deps: SubresourceDeps, call: SubresourceCall) => Promise<SubresourceAnswer>;

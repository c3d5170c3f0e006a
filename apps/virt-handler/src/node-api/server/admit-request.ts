import type { IncomingMessage } from 'node:http';

import {
  CallersError,
  RateLimit,
  type AccessReviews,
  type KubernetesAuthenticator,
  type ReviewedUser,
} from '@smalt/kubernetes-callers';

import type { RunningInstance, RunningInstances } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import { findOperation } from './find-operation.ts';
import { verbOf, type NodeOperation } from './node-operation.ts';

export interface AdmissionDeps {
  readonly instances: RunningInstances;
  readonly authenticator: Pick<KubernetesAuthenticator, 'authenticate'>;
  readonly access: Pick<AccessReviews, 'may'>;
  readonly clock: { now(): number };
  readonly requestsPerSecond: number;
}

/** A request whose caller may do what it asks for. */
export interface Admitted {
  readonly operation: NodeOperation;
  readonly query: URLSearchParams;
  readonly running: RunningInstance;
}

/** Who asks, and what for, as far as it is known when the request ends; for the audit. */
export interface AskedSoFar {
  caller?: string;
  operation?: NodeOperation;
}

const BASE = 'https://handler';
const GROUP = 'subresources.kubevirt.io';
const RESOURCE = 'virtualmachineinstances';

/** Lets requests in: not too many, of callers whom the cluster knows and lets do that, about instances of this node. */
export class Admission {
  readonly #deps: AdmissionDeps;
  readonly #addresses: RateLimit;
  readonly #callers: RateLimit;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
    this.#addresses = new RateLimit(deps.clock);
    this.#callers = new RateLimit(deps.clock);
  }

  /** Throws what is to be answered instead. */
  async admit(request: IncomingMessage, asked: AskedSoFar, signal: AbortSignal): Promise<Admitted> {
    const { requestsPerSecond, authenticator, instances } = this.#deps;
    requireRoom(this.#addresses, request.socket.remoteAddress ?? 'unknown', requestsPerSecond * 2);
    const user = await authenticator.authenticate(request, signal);
    asked.caller = user.name;
    requireRoom(this.#callers, user.name, requestsPerSecond);
    const url = URL.parse(request.url ?? '/', BASE);
    const operation = findOperation(request.method ?? '', url?.pathname ?? '');
    asked.operation = operation;
    await this.#authorize(user, operation, signal);
    const { namespace, name } = operation;
    const running = instances.find(namespace, name);
    if (running === undefined) {
      const text = `the VirtualMachineInstance ${namespace}/${name} has no domain on this node`;
      throw new VirtHandlerError('not-found', text);
    }
    return { operation, query: url?.searchParams ?? new URLSearchParams(), running };
  }

  async #authorize(user: ReviewedUser, operation: NodeOperation, signal: AbortSignal): Promise<void> {
    const { subresource, namespace, name } = operation;
    const verb = verbOf(operation);
    const attributes = { group: GROUP, resource: RESOURCE, subresource, verb, namespace, name };
    if (await this.#deps.access.may(user, attributes, signal)) return;
    const what = `${verb} ${RESOURCE}/${subresource} of ${GROUP}, for ${name} in ${namespace}`;
    throw new CallersError('forbidden', `${user.name} may not ${what}: ask for a role that allows it`);
  }
}

function requireRoom(limit: RateLimit, who: string, perSecond: number): void {
  if (limit.take(who, perSecond)) return;
  throw new VirtHandlerError(
    'too-many-requests',
    `${who} sends more than ${perSecond} requests in a second: wait a moment`,
  );
}

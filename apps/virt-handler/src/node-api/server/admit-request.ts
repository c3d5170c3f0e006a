import type { IncomingMessage } from 'node:http';

import {
  CallersError,
  RateLimit,
  type AccessReviews,
  type KubernetesAuthenticator,
  type ReviewedUser,
} from '@smalt/kubernetes-callers';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { RunningInstance, RunningInstances } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import { findOperation } from './find-operation.ts';
import { verbOf, type GuestOperation, type NodeOperation, type TelemetryOperation } from './node-operation.ts';

export interface AdmissionDeps {
  readonly nodeName: string;
  readonly instances: RunningInstances;
  readonly authenticator: Pick<KubernetesAuthenticator, 'authenticate'>;
  readonly access: Pick<AccessReviews, 'may'>;
  readonly clock: { now(): number };
  readonly requestsPerSecond: number;
}

/** A request about a guest that runs, whose caller may do what it asks for. */
export interface AdmittedToGuest {
  readonly kind: 'guest';
  readonly operation: GuestOperation;
  readonly query: URLSearchParams;
  readonly running: RunningInstance;
}

/** A request to be told from now on, of an instance or, without one, of the node. */
export interface AdmittedToWatch {
  readonly kind: 'telemetry';
  readonly operation: TelemetryOperation;
  readonly query: URLSearchParams;
  readonly instance: VirtualMachineInstance | undefined;
}

export type Admitted = AdmittedToGuest | AdmittedToWatch;

/** Who asks, and what for, as far as it is known when the request ends; for the audit. */
export interface AskedSoFar {
  caller?: string;
  operation?: NodeOperation;
}

const BASE = 'https://handler';
const GROUP = 'subresources.kubevirt.io';

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
    const { requestsPerSecond, authenticator } = this.#deps;
    requireRoom(this.#addresses, request.socket.remoteAddress ?? 'unknown', requestsPerSecond * 2);
    const user = await authenticator.authenticate(request, signal);
    asked.caller = user.name;
    requireRoom(this.#callers, user.name, requestsPerSecond);
    const url = URL.parse(request.url ?? '/', BASE);
    const operation = findOperation(request.method ?? '', url?.pathname ?? '');
    asked.operation = operation;
    await this.#authorize(user, operation, signal);
    const query = url?.searchParams ?? new URLSearchParams();
    return this.#find(operation, query);
  }

  #find(operation: NodeOperation, query: URLSearchParams): Admitted {
    const { instances, nodeName } = this.#deps;
    const { resource, namespace, name } = operation;
    if (operation.kind !== 'telemetry') {
      const running = instances.find(namespace, name);
      if (running !== undefined) return { kind: 'guest', operation, query, running };
      throw notHere(`the VirtualMachineInstance ${namespace}/${name} has no domain on this node`);
    }
    if (resource === 'nodes') {
      if (name === nodeName) return { kind: 'telemetry', operation, query, instance: undefined };
      throw notHere(`this is the node ${nodeName}, not ${name}`);
    }
    const instance = instances.instance(namespace, name);
    if (instance !== undefined) return { kind: 'telemetry', operation, query, instance };
    throw notHere(`the VirtualMachineInstance ${namespace}/${name} is not on this node`);
  }

  async #authorize(user: ReviewedUser, operation: NodeOperation, signal: AbortSignal): Promise<void> {
    const { resource, subresource, namespace, name } = operation;
    const verb = verbOf(operation);
    const where = namespace === '' ? {} : { namespace };
    const attributes = { group: GROUP, resource, subresource, verb, name, ...where };
    if (await this.#deps.access.may(user, attributes, signal)) return;
    const place = namespace === '' ? name : `${name} in ${namespace}`;
    const what = `${verb} ${resource}/${subresource} of ${GROUP}, for ${place}`;
    throw new CallersError('forbidden', `${user.name} may not ${what}: ask for a role that allows it`);
  }
}

function notHere(message: string): VirtHandlerError {
  return new VirtHandlerError('not-found', message);
}

function requireRoom(limit: RateLimit, who: string, perSecond: number): void {
  if (limit.take(who, perSecond)) return;
  throw new VirtHandlerError(
    'too-many-requests',
    `${who} sends more than ${perSecond} requests in a second: wait a moment`,
  );
}

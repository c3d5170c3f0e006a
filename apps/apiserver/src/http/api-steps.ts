import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Status } from '@smalt/kubernetes';

import type { Decision } from '../authorization/authorizer.ts';
import type { StatusError } from '../errors/status-error.ts';
import type { User } from '../identity/user.ts';
import type { Exchange, RawRequest } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';
import type { UpgradeCall } from './upgrade-handler.ts';

/** A request on its way, as those see it who have a say in it. */
export interface Incoming {
  readonly exchange: Exchange;
  readonly info: RequestInfo;
  readonly auditId: string;
}

/** What can be written down of a request, whatever protocol it goes on in. */
export interface NotedRequest extends Pick<Incoming, 'info' | 'auditId'> {
  readonly exchange: Pick<Exchange, 'url' | 'code' | 'header'> &
    Partial<Pick<Exchange, 'createdName'>> & { readonly request: Pick<RawRequest, 'socket'> };
}

/** What tells who sends a request. */
interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly socket: Duplex;
}

/** Who asked, and whom they act as, which is most often the same. */
export interface Requester {
  readonly user: User;
  readonly actingAs: User;
}

/** How a request ended. */
export interface Outcome {
  /** Undefined when the credential was refused. */
  readonly requester: Requester | undefined;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Undefined when it did not come to that. */
  readonly decision: Decision | undefined;
  /** The Status of a refusal or a failure. */
  readonly failure: Status | undefined;
  /** Whether it failed by a fault of the server. */
  readonly isPanic: boolean;
}

/** The steps that a request goes through. Each may refuse it by throwing a StatusError. */
export interface ApiHandlerSteps {
  authenticate(request: RequestHead): Requester;
  authorize(user: User, info: RequestInfo): Decision;
  /** The refusal of a request that was not allowed. */
  forbid(user: User, info: RequestInfo, decision: Decision): StatusError;
  /** Answers the request. */
  serve(user: User, incoming: Incoming): Promise<void>;
  /** Serves a request that goes on in another protocol. */
  upgrade(call: UpgradeCall): Promise<void>;
  /** Whether there is such a resource. */
  isKnown(info: RequestInfo): boolean;
  /** Told when a stream is about to start. */
  started(incoming: NotedRequest, outcome: Outcome): void;
  /** Told when a request was answered. */
  finished(incoming: NotedRequest, outcome: Outcome): void;
}

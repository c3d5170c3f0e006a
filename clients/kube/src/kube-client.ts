import type { JsonValue } from '@smalt/json';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

import type { KubeConfig } from './kube-config.ts';
import { readAnswer } from './read-answer.ts';
import { ResourceClient } from './resource-client.ts';
import {
  Transport,
  type KubeRequest,
  type StreamRequest,
  type TransportOptions,
  type UpgradeTarget,
} from './transport.ts';

/** A connection to one API server, shared by everything in a process. Disposing of it ends what is under way. */
export class KubeClient implements AsyncDisposable {
  readonly config: KubeConfig;
  /** The field manager of writes that name none: how the program calls itself. */
  readonly fieldManager: string;
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.config = options.config;
    this.fieldManager = options.userAgent.split('/')[0] ?? options.userAgent;
    this.#transport = new Transport(options);
  }

  /** The objects of a kind. */
  resource<T extends KubernetesObject>(kind: KindReference<T>): ResourceClient<T> {
    return new ResourceClient(kind, this.#transport, {
      namespace: this.config.namespace,
      fieldManager: this.fieldManager,
    });
  }

  /** Any other request; what comes back is JSON. */
  async request(request: KubeRequest): Promise<JsonValue> {
    return readAnswer(await this.#transport.send(request), `${request.method} ${request.path}`);
  }

  /** Any other request; what comes back is text, such as a log. */
  async text(request: KubeRequest): Promise<string> {
    return await this.#transport.send({ accept: '*/*', ...request });
  }

  /** Any other request whose answer has no end of its own, such as a log that is followed. */
  async stream(request: StreamRequest): Promise<AsyncIterable<Buffer>> {
    return await this.#transport.open({ accept: '*/*', ...request });
  }

  /** Where a request goes, and what it has to show there, that goes on in another protocol: a WebSocket for one. */
  async upgradeTarget(path: string, query?: URLSearchParams): Promise<UpgradeTarget> {
    return await this.#transport.upgradeTarget(path, query);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }
}

import {
  type AggregateStats,
  encodeFlowRequest,
  encodePortDescriptionRequest,
  encodePortStatsRequest,
  type Flow,
  type FlowFilter,
  MessageType,
  MultipartType,
  type OpenFlowVersion,
  type PortDescription,
  type PortStats,
  readAggregateStats,
  readFlowStats,
  readPortDescriptions,
  readPortStats,
  readSwitchFeatures,
  readTableStats,
  type SwitchFeatures,
  type TableStats,
  versionName,
} from '@smalt/openflow';

import { OvsError } from '../ovs-error.ts';
import type { RequestOptions } from '../unixctl/unixctl.ts';
import { explainBadMessage } from './explain-bad-message.ts';
import type { OpenFlowChannel } from './openflow-channel.ts';
import type { OpenFlowConnection } from './openflow-connection.ts';

const NOTHING = Buffer.alloc(0);
/** 65,000 ports are 7 MB; no bridge has as many. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** The questions that can be asked of a bridge, over a channel to it. */
export class BridgeConnection implements OpenFlowConnection {
  readonly socket: string;
  readonly #channel: OpenFlowChannel;
  readonly #version: OpenFlowVersion;

  constructor(socket: string, channel: OpenFlowChannel, version: OpenFlowVersion) {
    this.socket = socket;
    this.#channel = channel;
    this.#version = version;
  }

  get version(): string {
    return versionName(this.#version);
  }

  get isClosed(): boolean {
    return this.#channel.isClosed;
  }

  async features(options: RequestOptions = {}): Promise<SwitchFeatures> {
    const body = await this.#channel.ask(MessageType.featuresRequest, MessageType.featuresReply, options);
    return this.#read(() => readSwitchFeatures(body));
  }

  async tableStats(options: RequestOptions = {}): Promise<readonly TableStats[]> {
    const parts = await this.#collect(MultipartType.table, NOTHING, options);
    return this.#read(() => parts.flatMap(readTableStats));
  }

  async aggregate(filter: FlowFilter = {}, options: RequestOptions = {}): Promise<AggregateStats> {
    const request = this.#read(() => encodeFlowRequest(filter));
    const [body = NOTHING] = await this.#collect(MultipartType.aggregate, request, options);
    return this.#read(() => readAggregateStats(this.#version, body));
  }

  async portStats(options: RequestOptions = {}): Promise<readonly PortStats[]> {
    const parts = await this.#collect(MultipartType.port, encodePortStatsRequest(), options);
    return this.#read(() => parts.flatMap((part) => readPortStats(this.#version, part)));
  }

  async ports(options: RequestOptions = {}): Promise<readonly PortDescription[]> {
    const request = encodePortDescriptionRequest(this.#version);
    const parts = await this.#collect(MultipartType.portDescription, request, options);
    return this.#read(() => parts.flatMap((part) => readPortDescriptions(this.#version, part)));
  }

  async *flows(filter: FlowFilter = {}, options: RequestOptions = {}): AsyncGenerator<Flow> {
    const request = this.#read(() => encodeFlowRequest(filter));
    try {
      for await (const part of this.#channel.askInParts(MultipartType.flow, request, options)) {
        yield* readFlowStats(this.#version, part);
      }
    } catch (error) {
      throw explainBadMessage(this.socket, error);
    }
  }

  async echo(options: RequestOptions = {}): Promise<void> {
    await this.#channel.ask(MessageType.echoRequest, MessageType.echoReply, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#channel.close();
  }

  async #collect(type: number, body: Buffer, options: RequestOptions): Promise<readonly Buffer[]> {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of this.#channel.askInParts(type, body, options)) {
      length += part.length;
      if (length > MAX_REPLY_BYTES) {
        const error = new OvsError('too-large', `${this.socket} answers with more than ${MAX_REPLY_BYTES} bytes`);
        this.#channel.close(error);
        throw error;
      }
      parts.push(part);
    }
    return parts;
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw explainBadMessage(this.socket, error);
    }
  }
}

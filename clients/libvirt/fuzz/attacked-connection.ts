import { ConnectionEvents } from '../src/events/connection-events.ts';
import { EventHub } from '../src/events/event-hub.ts';
import type { OpenedStream } from '../src/libvirt-stream.ts';
import type { CallOptions, Procedure, StreamProcedure } from '../src/procedure.ts';
import { Channel } from '../src/rpc/channel.ts';
import type { MemorySocket } from './memory-socket.ts';

/** A connection over a socket that the attack holds the other end of, without the handshake. */
export class AttackedConnection extends ConnectionEvents {
  override readonly channel: Channel;
  protected override readonly events: EventHub;

  constructor(socket: MemorySocket) {
    super();
    const events = new EventHub((warning) => this.channel.warn(warning));
    this.events = events;
    this.channel = new Channel(socket, {
      keepalive: false,
      maxStreamBufferBytes: 4096,
      onEvent: (header, reader) => events.receive(header, reader),
    });
    void this.channel.closed.then((reason) => events.end(reason));
  }

  override call<Args, Result>(procedure: Procedure<Args, Result>, args: Args, options?: CallOptions): Promise<Result> {
    return this.channel.call(procedure, args, options);
  }

  override openStream<Args, Result>(
    procedure: StreamProcedure<Args, Result>,
    args: Args,
    options?: CallOptions,
  ): Promise<OpenedStream<Result>> {
    return this.channel.openStream(procedure, args, options);
  }
}

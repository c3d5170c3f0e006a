import { once } from 'node:events';
import { connect } from 'node:net';

import { Channel } from '../rpc/channel.ts';
import type { ChannelOptions } from '../rpc/channel-options.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { FakeDaemon, type FakeHandler } from './fake-daemon.ts';

export interface OpenChannel extends AsyncDisposable {
  readonly channel: Channel;
  readonly daemon: FakeDaemon;
}

/** A channel whose other end is the handler. */
export async function openChannel(handler: FakeHandler, options: Partial<ChannelOptions> = {}): Promise<OpenChannel> {
  const daemon = await FakeDaemon.listen(handler);
  const socket = connect({ host: '127.0.0.1', port: daemon.port, noDelay: true });
  await once(socket, 'connect');
  const channel = new Channel(socket, { onEvent: () => undefined, ...options });
  return {
    channel,
    daemon,
    [Symbol.asyncDispose]: async () => {
      channel.destroy(new LibvirtError('closed', 'the test is over'));
      await daemon[Symbol.asyncDispose]();
    },
  };
}

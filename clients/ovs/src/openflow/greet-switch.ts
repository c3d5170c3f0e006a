import { basename } from 'node:path';
import type { Socket } from 'node:net';

import {
  chooseVersion,
  type Message,
  MessageSplitter,
  MessageType,
  type OpenFlowVersion,
  readHello,
  versionName,
} from '@smalt/openflow';

import { OvsError } from '../ovs-error.ts';
import { explainBadMessage } from './explain-bad-message.ts';

export interface Greeting {
  readonly version: OpenFlowVersion;
  /** Holds what came behind the greeting. */
  readonly splitter: MessageSplitter;
}

/** Waits for the switch's greeting, which comes first, and chooses the version. Leaves the socket paused. */
export async function greetSwitch(socket: Socket, path: string): Promise<Greeting> {
  const splitter = new MessageSplitter();
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const onData = (chunk: Buffer): void => {
    try {
      const [message] = splitter.push(chunk);
      if (message === undefined) return;
      socket.pause();
      resolve(message);
    } catch (error) {
      reject(explainBadMessage(path, error));
    }
  };
  const onClose = (): void => reject(new OvsError('closed', `${path} closed the connection before it said anything`));
  socket.on('data', onData).once('close', onClose).once('error', reject);
  try {
    return { version: versionOf(await promise, path), splitter };
  } finally {
    socket.off('data', onData).off('close', onClose).off('error', reject);
  }
}

function versionOf(message: Message, path: string): OpenFlowVersion {
  if (message.type !== MessageType.hello) {
    throw new OvsError('protocol', `${path} began with a message of type ${message.type}: this is no OpenFlow switch`);
  }
  const offered = readHello(message);
  const version = chooseVersion(offered);
  if (version !== undefined) return version;
  const bridge = basename(path).replace(/\.mgmt$/, '');
  const names = offered.map(versionName).join(', ');
  throw new OvsError(
    'unsupported',
    `bridge ${bridge} allows OpenFlow ${names || 'nothing'} only: allow 1.3 with ` +
      `ovs-vsctl add bridge ${bridge} protocols OpenFlow13`,
  );
}

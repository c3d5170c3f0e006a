import { createInterface } from 'node:readline';
import { connect, type Connection } from '@smalt/libvirt';
import { SmaltPeer } from './smalt-peer.ts';

const [uri = ''] = process.argv.slice(2);

try {
  await using connection: Connection = await connect(uri);
  const peer = new SmaltPeer(uri, connection);
  await peer.start();
  print({ ready: `@smalt/libvirt on Node ${process.version}` });
  for await (const line of createInterface({ input: process.stdin })) {
    print(await peer.run(line).catch((error: unknown) => ({ error: String(error) })));
  }
} catch (error) {
  print({ error: String(error) });
  process.exitCode = 1;
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

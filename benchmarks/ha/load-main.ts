import { createInterface } from 'node:readline';

import { AgentLoad } from './agent-load.ts';

const [port = '', secret = '', authority = ''] = process.argv.slice(2);

try {
  using load = new AgentLoad({ port: Number(port), secret, authority });
  print({ ready: `Node ${process.version}` });
  for await (const line of createInterface({ input: process.stdin })) {
    print(await load.run(line).catch((error: unknown) => ({ error: String(error) })));
  }
} catch (error) {
  print({ error: String(error) });
  process.exitCode = 1;
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

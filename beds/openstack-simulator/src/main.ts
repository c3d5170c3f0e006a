// Runs a simulated cloud until it is told to stop. Its one argument, if there is one, is a JSON object with the options
// latencyMs, tokenSeconds, mostCalls and port; it prints one line of JSON with its addresses.
import { once } from 'node:events';

import { isJsonObject, parseJson } from '@smalt/json';

import { startControlServer } from './control-server.ts';
import { numberIn } from './read-json.ts';
import { startSimulatedOpenStack } from './start-simulated-openstack.ts';

const options = parseJson(process.argv[2] ?? '{}');
if (!isJsonObject(options)) throw new TypeError('the argument must be a JSON object');

await using cloud = await startSimulatedOpenStack({
  latencyMs: numberIn(options, 'latencyMs'),
  tokenSeconds: numberIn(options, 'tokenSeconds'),
  mostCalls: numberIn(options, 'mostCalls') ?? 0,
  port: numberIn(options, 'port'),
});
await using control = await startControlServer(cloud);
console.log(JSON.stringify({ authUrl: cloud.authUrl, controlUrl: control.url, environment: cloud.environment() }));

// Whoever started it may be killed; then its input ends, and so does this.
process.stdin.resume();
await Promise.race([once(process.stdin, 'end'), once(process, 'SIGTERM'), once(process, 'SIGINT')]);
process.stdin.destroy();

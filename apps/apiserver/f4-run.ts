import { startApiServer } from '/work/main/apps/apiserver/src/index.ts';
import { createLogger } from '@smalt/service-runtime';
import { writeFileSync } from 'node:fs';
const log = createLogger({ name: 'f4', level: 'debug', destination: { write: (line: string) => { process.stderr.write(line); return true; } } });
const t = performance.now();
const server = await startApiServer({ dataDirectory: process.argv[2]!, listen: { host: '127.0.0.1', port: 0 }, log }, AbortSignal.timeout(20000));
console.log('ready', Math.round(performance.now() - t), 'ms', server.url, server.kubeconfig);
writeFileSync('/tmp/f4.env', `export KUBECONFIG=${server.kubeconfig}\n`);
process.on('SIGTERM', async () => { await server[Symbol.asyncDispose](); process.exit(0); });

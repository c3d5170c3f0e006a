import { startApiServer } from './src/index.ts';
import { createLogger } from '@smalt/service-runtime';
import { writeFileSync } from 'node:fs';
const log = createLogger({ name: 'l', level: 'info', destination: { write: (line: string) => { process.stderr.write(line); return true; } } });
const server = await startApiServer({ dataDirectory: process.argv[2]!, listen: { host: '127.0.0.1', port: Number(process.argv[3] ?? 0) }, log }, AbortSignal.timeout(20000));
writeFileSync(process.argv[2] + '/env', `export KUBECONFIG=${server.kubeconfig} API_URL=${server.url} TOKEN=${server.adminToken}\n`);
console.log('ready', server.url);
process.on('SIGTERM', async () => { await server[Symbol.asyncDispose](); process.exit(0); });

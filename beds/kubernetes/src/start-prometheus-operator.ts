import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { isOk } from './ask.ts';
import { freePorts } from './free-ports.ts';
import type { PrometheusPrograms } from './kubernetes-programs.ts';
import { ServerProcess } from './server-process.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const run = promisify(execFile);

export interface PrometheusOperator extends AsyncDisposable {
  /** What it has logged so far. */
  log(): Promise<string>;
}

/** Starts the Prometheus operator on an API server, with the definitions that it has in itself. */
export async function startPrometheusOperator(
  { operator }: PrometheusPrograms,
  kubeconfig: string,
  signal: AbortSignal,
): Promise<PrometheusOperator> {
  await using stack = new AsyncDisposableStack();
  const definitions = await run(operator, ['full-crds'], { maxBuffer: MOST_BYTES, signal });
  const applying = run('kubectl', ['--kubeconfig', kubeconfig, 'apply', '--server-side', '-f', '-'], { signal });
  applying.child.stdin?.end(definitions.stdout);
  await applying;
  const established = ['wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all'];
  await run('kubectl', ['--kubeconfig', kubeconfig, ...established], { signal });
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-prometheus-operator-')));
  const [port] = await freePorts(1);
  const words = [
    `--web.listen-address=127.0.0.1:${port}`,
    // Each object says in its status whether it was taken.
    '--feature-gates=StatusForConfigurationResources=true',
  ];
  const command = ['env', `KUBECONFIG=${kubeconfig}`, operator, ...words];
  const server = stack.use(ServerProcess.start('prometheus-operator', command, join(path, 'operator.log')));
  await server.whenReady(() => isOk(`http://127.0.0.1:${port}/healthz`), signal);
  const owned = stack.move();
  return {
    log: () => readFile(server.logPath, 'utf8'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

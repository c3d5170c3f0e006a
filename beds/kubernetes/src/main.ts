import { buildKubernetes } from './build-kubernetes.ts';
import { isBedKubernetesError } from './error.ts';
import { findKubernetes } from './kubernetes-programs.ts';
import { startKubernetes } from './start-kubernetes.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));

async function main(signal: AbortSignal): Promise<void> {
  console.log(`kube-apiserver  ${await buildKubernetes(process.env, signal)}`);
  const programs = findKubernetes();
  if (programs === undefined)
    return console.log('etcd            missing: install the Debian package etcd-server to run it');
  if (!process.argv.includes('--run')) return console.log('add --run to start it');
  await using server = await startKubernetes(programs, signal);
  console.log(`serves          ${server.url}, ready after ${Math.round(server.startMs)} ms`);
  console.log(`token           ${server.token}`);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

try {
  await main(stopping.signal);
} catch (error) {
  console.error(isBedKubernetesError(error) ? error.message : error);
  process.exitCode = 1;
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { BedKubernetesError } from './error.ts';
import { apiserverPath, KUBERNETES_VERSION } from './kubernetes-programs.ts';

const MODULE = resolve(import.meta.dirname, '../go');
const PACKAGE = 'k8s.io/kubernetes/cmd/kube-apiserver';

/** Builds kube-apiserver from its Go modules, unless that was done before: some ten minutes on two processors. */
export async function buildKubernetes(environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const path = apiserverPath();
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  // Renamed when whole, so that a build that was cut short is never taken for the program.
  const unfinished = `${path}.${process.pid}`;
  await run(
    ['build', '-mod=readonly', '-buildvcs=false', '-ldflags', linkerFlags(), '-o', unfinished, PACKAGE],
    environment,
    signal,
  );
  await rename(unfinished, path);
  return path;
}

// Without these it calls itself v0.0.0, and clients judge a server by its version.
function linkerFlags(): string {
  const [major, minor] = KUBERNETES_VERSION.split('.');
  const values = { gitVersion: `v${KUBERNETES_VERSION}`, gitMajor: major, gitMinor: minor };
  const settings = Object.entries(values).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ['-s', '-w', ...settings].join(' ');
}

async function run(words: readonly string[], environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const child = spawn('go', words, { cwd: MODULE, env: environment, stdio: ['ignore', 'inherit', 'inherit'], signal });
  const status = await new Promise<number | null>((settle, reject) => {
    child.once('close', settle);
    child.once('error', (cause) =>
      reject(
        new BedKubernetesError('missing-program', `go cannot be run: install Go 1.26 or newer (${cause.message})`, {
          cause,
        }),
      ),
    );
  });
  if (status !== 0)
    throw new BedKubernetesError('build-failed', `go build ended with ${String(status)}; its words are above`);
}

import { printJson, type JsonObject } from '@smalt/json';

import type { Answer, Recording } from './answer.ts';
import { HttpSession, type SessionOptions } from './http-session.ts';
import { machineDefinition } from './machine-definition.ts';
import type { Probe } from './probe.ts';
import { runProbe } from './run-probe.ts';

/** Runs all probes against one server, one after the other, each in a namespace of its own. */
export async function runProbes(
  server: SessionOptions,
  probes: readonly Probe[],
  signal: AbortSignal,
): Promise<Recording> {
  using session = new HttpSession(server);
  const run = Date.now().toString(36).slice(-6);
  const group = `g${run}.example.dev`;
  await serveMachines(session, group, signal);
  const answers: [string, readonly Answer[]][] = [];
  for (const [index, probe] of probes.entries()) {
    signal.throwIfAborted();
    const ns = `parity-${run}-${String(index).padStart(3, '0')}`;
    await create(
      session,
      '/api/v1/namespaces',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ns } },
      signal,
    );
    answers.push([probe.name, await runProbe(session, probe, { ns, run, group })]);
    await remove(session, `/api/v1/namespaces/${ns}`, signal);
  }
  await remove(session, `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/machines.${group}`, signal);
  return Object.fromEntries(answers);
}

async function serveMachines(session: HttpSession, group: string, signal: AbortSignal): Promise<void> {
  await create(session, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', machineDefinition(group), signal);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(20_000)]);
  const isServed = (path: string): Promise<boolean> => isOk(session, path, deadline);
  // Discovery is the last to hear of a new kind.
  while (!(await isServed(`/apis/${group}/v1/machines`)) || !(await isServed(`/apis/${group}/v1`)))
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function isOk(session: HttpSession, path: string, signal: AbortSignal): Promise<boolean> {
  return (await session.send({ method: 'GET', path, headers: {}, body: undefined }, signal)).code === 200;
}

async function create(session: HttpSession, path: string, object: JsonObject, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await session.send({ method: 'POST', path, headers, body: printJson(object) }, signal);
  if (answer.code !== 201) throw new Error(`${path}: ${answer.text}`);
}

async function remove(session: HttpSession, path: string, signal: AbortSignal): Promise<void> {
  await session.send({ method: 'DELETE', path, headers: {}, body: undefined }, signal);
}

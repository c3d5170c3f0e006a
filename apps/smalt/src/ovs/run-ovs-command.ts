import { open } from 'node:fs/promises';

import { isJsonObject, printJson, type JsonObject, type JsonValue } from '@smalt/json';
import { KubeError, type KubeClient } from '@smalt/kube';

import { ExitCode } from '../output/exit-code.ts';
import { printableText } from '../printable-text.ts';
import { SmaltError } from '../smalt-error.ts';
import { openTroubleshooting, type TroubleshootingFlags } from './open-troubleshooting.ts';
import { printBridge, printPort, printSwitch } from './print-diagnostics.ts';
import { printTrace, type TextStyle } from './print-trace.ts';
import { textStyle } from './text-style.ts';
import { traceBody } from './trace-flags.ts';
import { USUAL_NAMESPACES } from './usual-namespaces.ts';

/** What the commands need of the process that they run in. */
export interface OvsProgram {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Waits until the text was taken, so that a slow reader slows the sender down. */
  readonly output: { readonly isTerminal: boolean; write(data: string | Uint8Array): Promise<void> };
  readonly errors: { write(text: string): unknown };
  readonly signal: AbortSignal;
  setExitCode(code: number): void;
}

type Flags = Readonly<Record<string, unknown>>;

/** Traces a packet and prints its path. */
export async function runTrace(program: OvsProgram, node: string, flags: Flags): Promise<void> {
  const body = JSON.stringify(traceBody(flags));
  await using agent = await openAgent(program, node, flags);
  const { signal } = program;
  const report = objectOf(await agent.request({ method: 'POST', path: '/v1/trace', body, signal }));
  const verdict = isJsonObject(report['verdict']) ? report['verdict']['kind'] : undefined;
  if (flags['check'] === true && verdict === 'drop') program.setExitCode(ExitCode.dropped);
  if (flags['json'] === true) return await program.output.write(`${printJson(report)}\n`);
  const raw = report['text'];
  if (flags['raw'] === true) return await program.output.write(linesOf(typeof raw === 'string' ? raw : ''));
  await program.output.write(`${printTrace(report, styleOf(program))}\n`);
}

/** Writes packets to a file, or to the standard output, until a limit is reached or Ctrl-C. */
export async function runCapture(
  program: OvsProgram,
  { node, port }: { readonly node: string; readonly port: string | undefined },
  flags: Flags,
): Promise<void> {
  const { bridge, filter, seconds, packets, bytes, snapLength, write } = flags;
  const path = typeof write === 'string' ? write : '-';
  if (path === '-' && program.output.isTerminal) {
    throw new SmaltError('wrong-use', 'packets are no text for a terminal: give -w FILE, or a pipe behind -w -');
  }
  const body = JSON.stringify({ port, bridge, filter, seconds, packets, bytes, snapLength });
  await using agent = await openAgent(program, node, flags);
  const { signal } = program;
  const stream = await agent.stream({ method: 'POST', path: '/v1/captures', body, signal });
  program.errors.write(`capturing for up to ${Number(seconds)} s; Ctrl-C ends it\n`);
  const { written, failure } = await writeTo(path, program, stream);
  program.errors.write(`${written} bytes captured\n`);
  if (failure === undefined) return;
  const next = 'the log of the agent says why; give the command again';
  program.errors.write(`the capture is incomplete: it ended before its limits (${failure.message}): ${next}\n`);
  program.setExitCode(ExitCode.incomplete);
}

interface Written {
  readonly written: number;
  /** Why there is not all of it. */
  readonly failure?: KubeError;
}

async function writeTo(path: string, program: OvsProgram, stream: AsyncIterable<Buffer>): Promise<Written> {
  await using file = path === '-' ? undefined : await open(path, 'w', 0o600);
  let written = 0;
  try {
    for await (const chunk of stream) {
      if (file === undefined) await program.output.write(chunk);
      else await file.writeFile(chunk);
      written += chunk.length;
    }
  } catch (error) {
    // Who ends it keeps what there is.
    if (program.signal.aborted) return { written };
    if (error instanceof KubeError) return { written, failure: error };
    throw error;
  }
  return { written };
}

/** Prints the switch, or a bridge or port of it. */
export async function runShow(
  program: OvsProgram,
  { node, name }: { readonly node: string; readonly name: string | undefined },
  flags: Flags,
): Promise<void> {
  await using agent = await openAgent(program, node, flags);
  const { report, print } = await findReport(agent, name, program.signal);
  const text = flags['json'] === true ? printJson(report) : print(report, styleOf(program));
  await program.output.write(`${text}\n`);
}

interface FoundReport {
  readonly report: JsonObject;
  readonly print: (report: JsonObject, style: TextStyle) => string;
}

async function findReport(agent: KubeClient, name: string | undefined, signal: AbortSignal): Promise<FoundReport> {
  const get = async (path: string): Promise<JsonObject> =>
    objectOf(await agent.request({ method: 'GET', path, signal }));
  if (name === undefined) return { report: await get('/v1/diagnostics'), print: printSwitch };
  try {
    return { report: await get(`/v1/bridges/${encodeURIComponent(name)}`), print: printBridge };
  } catch (error) {
    if (!(error instanceof KubeError) || error.code !== 'not-found') throw error;
    return { report: await get(`/v1/ports/${encodeURIComponent(name)}`), print: printPort };
  }
}

/** Prints flows line by line, as they come. */
export async function runFlows(
  program: OvsProgram,
  { node, bridge }: { readonly node: string; readonly bridge: string },
  flags: Flags,
): Promise<void> {
  const names = ['table', 'cookie', 'inPort', 'outPort', 'ipSource', 'ipDestination', 'limit'];
  const query = new URLSearchParams({ bridge, ...(flags['json'] === true ? {} : { format: 'text' }) });
  for (const name of names) {
    const value = flags[name];
    if (typeof value === 'string') query.set(name, value);
  }
  await using agent = await openAgent(program, node, flags);
  const { signal } = program;
  let isComplete = true;
  const onTrailers = (trailers: Readonly<Record<string, string | undefined>>): void => {
    isComplete = trailers['smalt-complete'] !== 'false';
  };
  const stream = await agent.stream({ method: 'GET', path: '/v1/flows', query, signal, onTrailers });
  const decoder = new TextDecoder();
  for await (const chunk of stream) await program.output.write(linesOf(decoder.decode(chunk, { stream: true })));
  if (!isComplete) program.errors.write('there are more flows than that; narrow it down, or raise --limit\n');
}

async function openAgent(program: OvsProgram, node: string, flags: Flags): Promise<KubeClient> {
  return await openTroubleshooting(node, commonFlags(flags), program.environment, program.signal);
}

function commonFlags({ kubeconfig, context, namespace, tokenFile }: Flags): TroubleshootingFlags {
  return {
    namespaces: typeof namespace === 'string' ? [namespace] : USUAL_NAMESPACES,
    ...(typeof kubeconfig === 'string' ? { kubeconfig } : {}),
    ...(typeof context === 'string' ? { context } : {}),
    ...(typeof tokenFile === 'string' ? { tokenFile } : {}),
  };
}

function styleOf({ output, environment }: OvsProgram): TextStyle {
  return textStyle(output.isTerminal, environment['NO_COLOR']);
}

/** Text of the switch, of which names are whatever somebody has chosen, for a terminal. */
function linesOf(text: string): string {
  return text.split('\n').map(printableText).join('\n');
}

function objectOf(answer: JsonValue): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new SmaltError('no-troubleshooting', 'the agent has answered something that is no report');
}

import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { accountToken, ensurePages, openChromium, signInByToken } from '@smalt/bed-console';
import {
  freePorts,
  installDefinitions,
  ServerProcess,
  startSmaltApiServer,
  type SmaltProgram,
} from '@smalt/bed-kubernetes';
import { readFleetDefinitions } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import { readOvsDefinitions } from '@smalt/ovs-api';
import { readVmDefinitions } from '@smalt/vm-api';
import type { Browser, BrowserContext } from 'playwright-core';

import { openClient } from '../node-agent/agent-world.ts';
import { smaltCommand } from '../vms/cluster/smalt-program.ts';

const START_MS = 60_000;
const DESKTOP = { viewport: { width: 1280, height: 800 } };

/** An API server with nothing that changes its objects, a console in front of it, and a browser. */
export interface ConsoleWorld extends AsyncDisposable {
  readonly url: string;
  readonly client: KubeClient;
  /** A browser with nothing in its cache, in which an administrator has signed in. */
  person(): Promise<BrowserContext>;
}

export async function startWorld(program: SmaltProgram, signal: AbortSignal): Promise<ConsoleWorld> {
  await using owner = new AsyncDisposableStack();
  await ensurePages();
  const { path: folder } = owner.use(await mkdtempDisposable(join(tmpdir(), 'smalt-console-bench-')));
  const api = owner.use(await startSmaltApiServer({ program, signal }));
  const client = owner.use(await openClient(api.kubeconfig));
  const definitions = [await readVmDefinitions(), await readFleetDefinitions(), await readOvsDefinitions()];
  await installDefinitions(client, definitions.flat(), signal);
  const url = await startServer({ program, folder, kubeconfig: api.kubeconfig, owner, signal });
  const token = await accountToken(client, 'measurer', ['cluster-admin']);
  const browser: Browser = owner.use(await openChromium());
  const person = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ ...DESKTOP, baseURL: url });
    await signInByToken(context, url, token);
    return context;
  };
  const owned = owner.move();
  return { url, client, person, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface ServerOptions {
  readonly program: SmaltProgram;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly owner: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

async function startServer({ program, folder, kubeconfig, owner, signal }: ServerOptions): Promise<string> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const words = smaltCommand(program, [
    'web-console',
    `--kubeconfig=${kubeconfig}`,
    '--listen=',
    `--serve-listen=127.0.0.1:${port}`,
    `--sessions-key-file=${join(folder, 'key')}`,
    '--log-level=warn',
  ]);
  const server = owner.use(ServerProcess.start('web-console', words, join(folder, 'web-console.log')));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
  await server.whenReady(() => isAnswering(url), deadline);
  return url;
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false; // It does not listen yet.
  }
}

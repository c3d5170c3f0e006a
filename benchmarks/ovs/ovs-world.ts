import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installDefinitions, startSmaltApiServer, type SmaltApiServer, type SmaltProgram } from '@smalt/bed-kubernetes';
import type { KubeClient } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { ovsNodeKind, readOvsDefinitions, type OVSNode } from '@smalt/ovs-api';

import { openClient } from '../node-agent/agent-world.ts';
import { ObjectWatch } from '../src/object-watch.ts';

const NAMESPACE = 'ovn-system';
const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

/** An API server, and a watch on all OVSNodes. */
export interface OvsWorld extends AsyncDisposable {
  readonly program: SmaltProgram;
  readonly api: SmaltApiServer;
  readonly client: KubeClient;
  readonly watch: ObjectWatch<OVSNode>;
  /** For logs and configurations. */
  readonly folder: string;
}

export async function startOvsWorld(program: SmaltProgram, signal: AbortSignal): Promise<OvsWorld> {
  await using owner = new AsyncDisposableStack();
  const { path: folder } = owner.use(await mkdtempDisposable(join(tmpdir(), 'smalt-ovs-bench-')));
  const api = owner.use(await startSmaltApiServer({ program, signal }));
  const client = owner.use(await openClient(api.kubeconfig));
  await installDefinitions(client, await readOvsDefinitions(), signal);
  await client.resource(namespaceKind).apply(NAMESPACE, {}, { signal });
  const watch = owner.use(new ObjectWatch(client, ovsNodeKind));
  const owned = owner.move();
  return { program, api, client, watch, folder, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

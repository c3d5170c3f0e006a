import type { KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { virtualMachineKind } from '@smalt/vm-api';
import type { Command } from 'commander';

import type { CommandProgram } from '../output/command-program.ts';
import { openCluster, type Cluster } from '../output/open-cluster.ts';
import { FILE_MARK } from './completion-scripts.ts';
import { decideCompletion, type Completion } from './decide-completion.ts';

/** Nobody waits longer for names after a press of the tabulator. */
const PATIENCE_MS = 2_000;
const MOST_NAMES = 500;
/** What every object of Kubernetes may be called: nothing else goes to a shell. */
const PLAIN_NAME = /^[a-z0-9.-]+$/;

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };
const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

/** Prints what may follow the words, one on a line. Where the cluster cannot be asked there are no names. */
export async function runComplete(program: CommandProgram, root: Command, words: readonly string[]): Promise<void> {
  const completion = decideCompletion(root, words);
  const names = completion.names.length === 0 ? [] : await namesFor(program, completion, words);
  const typed = words.at(-1) ?? '';
  const found = [...completion.words, ...names.filter((name) => name.startsWith(typed))];
  if (found.length > 0) await program.output.write(`${found.join('\n')}\n`);
  else if (completion.isFile) await program.output.write(`${FILE_MARK}\n`);
}

async function namesFor(
  program: CommandProgram,
  { names }: Completion,
  words: readonly string[],
): Promise<readonly string[]> {
  try {
    await using cluster = await openCluster(program, flagsIn(words));
    const signal = AbortSignal.any([program.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const lists = await Promise.all(names.map((each) => list(cluster, each, signal)));
    return lists.flat().filter((name) => PLAIN_NAME.test(name));
  } catch {
    // A line that is being typed is no place for errors.
    return [];
  }
}

async function list(
  { client, namespace }: Cluster,
  what: Completion['names'][number],
  signal: AbortSignal,
): Promise<readonly string[]> {
  switch (what) {
    case 'machines':
      return await namesOf(client, virtualMachineKind, { namespace, signal });
    case 'hosts':
      return await namesOf(client, nodeKind, { signal });
    case 'namespaces':
      return await namesOf(client, namespaceKind, { signal });
  }
}

async function namesOf<T extends KubernetesObject>(
  client: KubeClient,
  kind: KindReference<T>,
  options: { readonly namespace?: string; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const { items } = await client.resource(kind).list({ ...options, limit: MOST_NAMES });
  return items.map(({ metadata }) => metadata.name);
}

/** The flags among the words that say which cluster is meant. */
function flagsIn(words: readonly string[]): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (const [index, word] of words.entries()) {
    const [name = '', given] = word.split('=', 2);
    const key = name === '-n' ? 'namespace' : name.replace(/^--/, '');
    const value = given ?? words[index + 1];
    const isOurs = name.startsWith('-') && ['kubeconfig', 'context', 'namespace'].includes(key);
    if (isOurs && value !== undefined && value !== '') flags[key] = value;
  }
  return flags;
}

import type { OvsNode } from './ovs-node.ts';
import { startOvsNode, type OvsNodeOptions } from './start-ovs-node.ts';

/** How many start at a time: more only makes each slower. */
const AT_ONCE = 4;

export interface OvsNodes extends AsyncDisposable {
  readonly nodes: readonly OvsNode[];
}

/** Starts many nodes, named node1, node2 and so on; all or none. */
export async function startOvsNodes(count: number, options: Omit<OvsNodeOptions, 'name'>): Promise<OvsNodes> {
  await using stack = new AsyncDisposableStack();
  const nodes: OvsNode[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
  const starters = Array.from({ length: Math.min(AT_ONCE, count) }, async () => {
    for (const number of numbers)
      nodes[number - 1] = stack.use(await startOvsNode({ ...options, name: `node${number}` }));
  });
  // All must settle before anything is torn down, or a node that starts late would be forgotten.
  const failure = (await Promise.allSettled(starters)).find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  const owned = stack.move();
  return {
    nodes,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
      await owned.disposeAsync();
    },
  };
}

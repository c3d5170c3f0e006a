import { join } from 'node:path';

import { printProcessors } from '../processors.ts';
import type { Hierarchy } from './hierarchy.ts';
import type { CgroupStep } from './plan-cgroup.ts';

export interface Confinement {
  readonly own: string;
  readonly leaves: readonly string[];
  readonly processors: readonly number[];
  /** What it has now. */
  readonly before: readonly number[];
}

/**
 * How to change the processors of a cgroup. In the first version a leaf never has one that its parent lacks, not for a
 * moment: the parent is widened first and narrowed last.
 */
export function planConfinement({ version }: Hierarchy, confinement: Confinement): readonly CgroupStep[] {
  const { own, leaves, processors, before } = confinement;
  if (version === 2) return [limit(own, processors)];
  return [
    limit(own, [...before, ...processors]),
    ...leaves.map((leaf) => limit(join(own, leaf), processors)),
    limit(own, processors),
  ];
}

function limit(directory: string, wanted: readonly number[]): CgroupStep {
  return { kind: 'limit', file: join(directory, 'cpuset.cpus'), controller: 'cpuset', value: printProcessors(wanted) };
}

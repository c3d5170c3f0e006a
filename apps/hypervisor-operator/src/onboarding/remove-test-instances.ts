import type { SmokeTests, TestInstance } from '@smalt/compute';

import { testInstancesOf } from './test-instance-name.ts';

/** The test instances of one host, by the prefix of their names. */
export async function listTestInstances(
  smokeTests: Pick<SmokeTests, 'list'>,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly TestInstance[]> {
  return testInstancesOf(await smokeTests.list(prefix, signal), prefix);
}

/** Deletes all test instances of one host. One that cannot be deleted does not keep the others; it is thrown at the end. */
export async function removeTestInstances(
  smokeTests: Pick<SmokeTests, 'list' | 'delete'>,
  prefix: string,
  signal: AbortSignal,
): Promise<void> {
  const instances = await listTestInstances(smokeTests, prefix, signal);
  const results = await Promise.allSettled(instances.map(({ id }) => smokeTests.delete(id, signal)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

import { evictionKind, hypervisorKind, readFleetDefinitions } from '@smalt/fleet-api';
import { KubeError } from '@smalt/kube';
import { describe, expect, it } from 'vitest';

import { inner } from './missing-fields.ts';
import { requireFields, type SchemaSource } from './require-fields.ts';

const writtenKinds = [{ kind: evictionKind, fields: ['progress'] }];
const signal = AbortSignal.timeout(10_000);

describe('requireFields', () => {
  it('waits for schemas that are published after the objects are served', async () => {
    const published = await schemas('progress');
    const cluster = new Cluster([notFound(), { components: { schemas: {} } }, published]);

    await requireFields(cluster, writtenKinds, signal);

    expect([cluster.asked, cluster.ignored]).toEqual([3, []]);
  });

  it('refuses what those lack', async () => {
    const cluster = new Cluster([notFound(), await schemas('state')]);

    await expect(requireFields(cluster, writtenKinds, signal)).rejects.toMatchObject({
      code: 'missing-definitions',
      message: expect.stringContaining('without status.progress of evictions.kvm.cloud.sap'),
    });
  });

  it('takes a cluster at its word that publishes none for long', async () => {
    const cluster = new Cluster([notFound()]);

    await requireFields(cluster, writtenKinds, signal);

    expect(cluster.waitedMs).toBe(15_000);
    expect(cluster.ignored).toEqual(['Error: no schema of Eviction is published']);
  });

  it('waits once for all kinds of a group, and reads their schemas by one request a round', async () => {
    const kinds = [...writtenKinds, { kind: hypervisorKind, fields: ['lifecycleState'] }];
    const silent = new Cluster([notFound()]);
    const late = new Cluster([notFound(), await schemas('progress')]);

    await requireFields(silent, kinds, signal);
    await requireFields(late, kinds, signal);

    expect([silent.waitedMs, silent.asked]).toEqual([15_000, 31]);
    expect(silent.ignored).toEqual(['Error: no schema of Eviction, Hypervisor is published']);
    expect(late.ignored).toEqual(['Error: no schema of Hypervisor is published']);
  });

  it('refuses what one kind lacks though another is not published', async () => {
    const kinds = [{ kind: hypervisorKind, fields: ['lifecycleState'] }, ...writtenKinds];

    await expect(requireFields(new Cluster([await schemas('state')]), kinds, signal)).rejects.toThrow(
      'without status.progress of evictions.kvm.cloud.sap',
    );
  });

  it('takes a cluster at its word at once that tells nobody its schemas, or none of a status', async () => {
    const silent = new Cluster([new KubeError('forbidden', 'not for you')]);
    const loose = new Cluster([{ components: { schemas: { one: schemaOf({}) } } }]);

    await requireFields(silent, writtenKinds, signal);
    await requireFields(loose, writtenKinds, signal);

    expect([silent.waitedMs, loose.waitedMs]).toEqual([0, 0]);
  });
});

/** Answers in turn, and goes on with the last one; its clock goes on only when it is waited for. */
class Cluster {
  readonly #answers: readonly unknown[];
  readonly ignored: string[] = [];
  asked = 0;
  waitedMs = 0;

  constructor(answers: readonly unknown[]) {
    this.#answers = answers;
  }

  get client(): SchemaSource {
    const request = async (): Promise<unknown> => {
      const answer = this.#answers[Math.min(this.asked++, this.#answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return await Promise.resolve(answer);
    };
    return { request, config: { server: 'https://cluster' } };
  }

  readonly clock = {
    monotonic: (): number => this.waitedMs,
    wait: async (milliseconds: number): Promise<void> => {
      this.waitedMs += milliseconds;
      await Promise.resolve();
    },
  };

  readonly ignore = (error: unknown): void => void this.ignored.push(String(error));
}

function notFound(): KubeError {
  return new KubeError('not-found', 'there is none');
}

/** Those of an Eviction as it is declared, with another name for one field of its status. */
async function schemas(name: string): Promise<unknown> {
  const definitions = (await readFleetDefinitions()).map((each) => JSON.stringify(each));
  const eviction = definitions.find((text) => text.includes('"name":"evictions.kvm.cloud.sap"')) ?? '';
  const definition: unknown = JSON.parse(eviction.replace('"progress":', `"${name}":`));
  const versions = inner(definition, 'spec', 'versions');
  const version: unknown = Array.isArray(versions)
    ? versions.find((each) => inner(each, 'name') === evictionKind.version)
    : undefined;
  return { components: { schemas: { one: schemaOf(Object(inner(version, 'schema', 'openAPIV3Schema'))) } } };
}

function schemaOf(schema: object): unknown {
  const { group, version, kind } = evictionKind;
  return { ...schema, 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
}

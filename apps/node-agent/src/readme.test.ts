import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { AGENT_CONDITIONS } from './agent-conditions.ts';
import { CONFLICT_TYPE } from './decide-notice.ts';
import { nodeAgentFields } from './settings/load-agent-config.ts';
import { AGENT_FIELDS } from './status/status-fields.ts';
import { startNodeAgent } from './start-node-agent.ts';
import { HYPERVISOR_UNITS } from './units/units-part.ts';

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

it('has every setting with its default and its meaning', () => {
  const rows = nodeAgentFields().map(({ path, schema }) => {
    const standard = String(schema.default ?? '');
    return [path, standard === '' ? '' : `\`${standard}\``, schema.description];
  });

  expect(tableAfter('## Settings')).toEqual(rows.map(([path, ...rest]) => [`\`${path}\``, ...rest]));
});

it('has every field and every condition', () => {
  const conditions = tableAfter('## Conditions').flatMap(([type = '']) => words(type));
  const fields = tableAfter('## What it reports').flatMap(([field = '']) => words(field));

  const units = new Set<string>(HYPERVISOR_UNITS);
  expect(conditions).toEqual(
    expect.arrayContaining([...AGENT_CONDITIONS.filter((type) => !units.has(type)), CONFLICT_TYPE]),
  );
  expect(fields.toSorted()).toEqual(AGENT_FIELDS.toSorted());
});

it('has every metric of the agent itself', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-agent-'));
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
  const server = {
    server: 'https://127.0.0.1:1',
    tls: { isInsecure: false },
    identity: { kind: 'anonymous' },
  } as const;
  await using agent = await startNodeAgent(
    {
      nodeName: 'node',
      kubeConfig: { ...server, namespace: 'default' },
      libvirt: { kind: 'host', uri: 'test+tcp://127.0.0.1:1/default' },
      stateDirectory: directory.path,
      certificates: { install: true, directory: directory.path },
      logger,
    },
    new AbortController().signal,
  );

  const text = agent.context.metrics.expose();

  const names = [...text.matchAll(/^# TYPE (smalt_\w+)/gm)].map(([, name = '']) => name);
  expect(
    tableAfter('## Metrics')
      .flatMap(([name = '']) => words(name))
      .toSorted(),
  ).toEqual(names.toSorted());
});

/** The cells of the first table after a heading. */
function tableAfter(heading: string): readonly (readonly string[])[] {
  const section = readme.slice(readme.indexOf(heading)).split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function words(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

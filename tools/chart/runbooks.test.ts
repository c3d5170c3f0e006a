import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { CHART } from './helm.ts';
import { renderedObjects } from './rendered-objects.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = 'docs/runbooks';
/** Labels of what Kubernetes, or a virtual machine, has beside its own; and of what stands on a management cluster. */
const OF_OTHERS = /^(kubernetes[.]io|kubevirt[.]io|app[.]kubernetes[.]io\/managed-by)\b/;

interface Found {
  readonly page: string;
  readonly text: string;
}

const pages = await Promise.all(
  (await readdir(join(ROOT, PAGES))).map(async (page) => ({
    page,
    text: await readFile(join(ROOT, PAGES, page), 'utf8'),
  })),
);
const rendered = await Promise.all(
  ['smalt', 'kept'].map(async (name) => renderedObjects(await readFile(join(ROOT, `deploy/${name}.yaml`), 'utf8'))),
);
const objects = rendered.flat();

it('look for pods by labels that the chart gives', async () => {
  const names = (await templates()).flatMap((text) => all(/\$name := "(?<found>[^"]+)"/g, text));
  const known = names.map((name) => `app.kubernetes.io/name=${name}`);

  const asked = inPages(/ -l (?<found>[^\s`'"]+)/g).filter(({ text }) => !OF_OTHERS.test(text));

  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter(({ text }) => !known.includes(text))).toEqual([]);
});

it('look for objects where the chart has them', () => {
  const namespaces = objects.flatMap(({ kind, metadata }) => (kind === 'Namespace' ? [metadata.name] : []));

  const asked = inPages(/kubectl .*?-n (?<found>[a-z][^\s`]*)/g);

  expect(asked.length).toBeGreaterThan(40);
  expect(asked.filter(({ text }) => ![...namespaces, 'smalt-system'].includes(text))).toEqual([]);
});

it('call services by names and ports that the chart gives', () => {
  const services = objects.flatMap(({ kind, metadata, spec }) => {
    if (kind !== 'Service') return [];
    const ports: readonly { readonly port: number }[] = Object(spec).ports;
    return ports.map(({ port }) => `${metadata.name}.smalt-system.svc:${port}`);
  });

  const called = inPages(/https:\/\/(?<found>[\w.-]+[.]svc[\w.]*:\d+)/g);

  expect(called.length).toBeGreaterThan(0);
  expect(called.filter(({ text }) => !services.includes(text))).toEqual([]);
});

function inPages(expression: RegExp): readonly Found[] {
  return pages.flatMap(({ page, text }) => all(expression, text).map((found) => ({ page, text: found })));
}

function all(expression: RegExp, text: string): readonly string[] {
  return Array.from(text.matchAll(expression), ({ groups }) => groups?.['found'] ?? '');
}

async function templates(): Promise<readonly string[]> {
  const directory = join(CHART, 'templates');
  const files = (await readdir(directory)).filter((name) => name.endsWith('.yaml'));
  return await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
}

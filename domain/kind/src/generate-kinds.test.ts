import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { defineKind } from './define-kind.ts';
import { anyObject, choice, flag, integer, listOf, mapOf, of, quantity, shape, text } from './field-builders.ts';
import { generatedFiles, generateKinds, type GenerateOptions } from './generate-kinds.ts';
import type { Kind } from './kind.ts';
import { conditions } from './kubernetes-shapes.ts';

describe('the types that are generated', () => {
  const types = generatedFiles([boat(), harbour()], 'domain/sea-api').get(
    'domain/sea-api/src/generated/objects.gen.ts',
  );

  it('say what may be left out and what may not', () => {
    expect(types).toContain(`/** What it needs. */
export interface BoatSpec {
  /** How many. */
  readonly crew: number;
  /** The first. */
  readonly engine?: Engine | null;
  readonly flags?: readonly ('red' | 'it\\'s green')[];
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly tanks?: Readonly<Record<string, number | string>>;
}`);
  });

  it('name the versions and the kind of an object', () => {
    expect(types).toContain(`export interface Boat {
  readonly apiVersion: 'example.org/v1' | 'example.org/v1beta1';
  readonly kind: 'Boat';
  readonly metadata: ObjectMeta;
  /** What it needs. */
  readonly spec: BoatSpec;
  /** How it is. */
  readonly status?: BoatStatus;
}`);
  });

  it('declare a shape that two kinds share once', () => {
    expect(types?.match(/export type Engine = Readonly<Record<string, never>>;/g)).toHaveLength(1);
  });

  it('take conditions from where all have them', () => {
    expect(types).toContain("import type { Condition, ObjectMeta } from '@smalt/kubernetes';");
    expect(types).toContain('readonly conditions?: readonly Condition[];');
  });

  it('come with a reference to each kind', () => {
    const references = generatedFiles([boat(), harbour()], 'domain/sea-api').get(
      'domain/sea-api/src/generated/references.gen.ts',
    );

    expect(references).toContain("import type { Boat, USBHarbour } from './objects.gen.ts';");
    expect(references).toContain(`export const usbHarbourKind: KindReference<USBHarbour> = {
  group: 'example.org',
  version: 'v1',
  kind: 'USBHarbour',
  plural: 'usbharbours',
  isNamespaced: false,
};`);
  });
});

describe('the definitions that are generated', () => {
  it('are the same as YAML and as JSON, but for the label by which files that people apply are guarded', () => {
    const files = generatedFiles([boat()], 'domain/sea-api');

    const module = files.get('domain/sea-api/src/generated/definitions.gen.ts') ?? '';
    const { definitions } = evaluate(module);

    expect(parse(files.get('deploy/helm/smalt/files/crds/boats.example.org.yaml') ?? '')).toEqual({
      ...boat().crd(),
      metadata: { name: 'boats.example.org', labels: { 'app.kubernetes.io/part-of': 'smalt' } },
    });
    expect(definitions.map((definition) => JSON.parse(definition) as unknown)).toEqual([boat().crd()]);
  });

  it('hold the schema of all versions once', () => {
    const module = generatedFiles([boat()], 'domain/sea-api').get('domain/sea-api/src/generated/definitions.gen.ts');

    expect(module?.match(/What it needs/g)).toHaveLength(1);
  });
});

describe('the reference that is generated', () => {
  const files = generatedFiles([boat(), harbour()], 'domain/sea-api');

  it('lists columns, fields, defaults and limits', () => {
    const page = files.get('docs/reference/boat.md');

    expect(page).toContain('| versions | `example.org/v1` (stored), `example.org/v1beta1` (served, deprecated) |');
    expect(page).toContain('| Crew | `.spec.crew` | always |');
    expect(page).toContain('| `crew` * | integer | `2` | minimum 1; maximum 9 | How many. |');
    expect(page).toContain('| `engine` | [Engine](#engine) |  | may be null | The first. |');
    expect(page).toContain('| `flags` | list of string |  |  |  |');
    expect(page).toContain('| `tanks` | map to quantity |  |  |  |');
    expect(page).toContain('- crew must be paid: `self.crew > 0 || true`');
    expect(page).toContain('| `Ready` | It floats. |');
  });

  it('links to a shape on the page where it is described', () => {
    expect(files.get('docs/reference/usbharbour.md')).toContain(
      '| `engine` | [Engine](boat.md#engine) |  |  | A spare. |',
    );
    expect(files.get('docs/reference/usbharbour.md')).not.toContain('### Engine');
  });
});

describe('generateKinds', () => {
  it('writes what is stale, removes what no kind gives any more, and leaves the rest', async () => {
    await using place = await folder();
    await mkdir(join(place.path, 'deploy/helm/smalt/files/crds'), { recursive: true });
    await writeFile(join(place.path, 'deploy/helm/smalt/files/crds/rafts.example.org.yaml'), '');
    await writeFile(join(place.path, 'deploy/helm/smalt/files/crds/rafts.other.org.yaml'), '');

    const first = await generateKinds(place.options([boat()]));
    const second = await generateKinds(place.options([boat()]));

    expect(first.removed).toEqual(['deploy/helm/smalt/files/crds/rafts.example.org.yaml']);
    expect(first.written).toContain('docs/reference/boat.md');
    expect(second).toEqual({ written: [], removed: [] });
    expect(await readdir(join(place.path, 'deploy/helm/smalt/files/crds'))).toEqual([
      'boats.example.org.yaml',
      'rafts.other.org.yaml',
    ]);
  });

  it('only tells when it is to check', async () => {
    await using place = await folder();
    await generateKinds(place.options([boat()]));
    await writeFile(join(place.path, 'docs/reference/boat.md'), 'changed by hand');

    const found = await generateKinds({ ...place.options([boat()]), isCheck: true });

    expect(found).toEqual({ written: ['docs/reference/boat.md'], removed: [] });
    expect(await readFile(join(place.path, 'docs/reference/boat.md'), 'utf8')).toBe('changed by hand');
  });

  it('refuses two shapes by one name', async () => {
    await using place = await folder();
    const other = shape({ name: 'Engine', description: '', fields: { power: integer('') } });
    const status = shape({ name: 'BoatStatus', description: '', fields: { engine: other } });

    await expect(generateKinds(place.options([boat({ status })]))).rejects.toThrow(
      'there are two shapes by the name Engine',
    );
  });
});

const engine = shape({ name: 'Engine', description: 'What drives it.', fields: {} });

function boat(options: Partial<Kind> = {}): Kind {
  return defineKind({
    group: 'example.org',
    versions: [{ name: 'v1' }, { name: 'v1beta1', deprecationWarning: "it's old" }],
    kind: 'Boat',
    plural: 'boats',
    shortNames: [],
    scope: 'Namespaced',
    description: 'A boat.',
    columns: [{ name: 'Crew', type: 'integer', jsonPath: '.spec.crew' }],
    conditions: [{ type: 'Ready', meaning: 'It floats.' }],
    spec: shape({
      name: 'BoatSpec',
      description: 'What it needs.',
      required: ['crew'],
      options: { 'x-kubernetes-validations': [{ rule: 'self.crew > 0 || true', message: 'crew must be paid' }] },
      fields: {
        crew: integer('How many.', { default: 2, minimum: 1, maximum: 9 }),
        engine: of(engine, 'The first.', { nullable: true }),
        flags: listOf(choice(['red', "it's green"], ''), ''),
        extra: anyObject(''),
        tanks: mapOf(quantity(''), ''),
      },
    }),
    status: shape({
      name: 'BoatStatus',
      description: 'How it is.',
      fields: { afloat: flag('Whether it floats.'), conditions: conditions('All.'), note: text('') },
    }),
    required: ['spec'],
    hasStatus: true,
    ...options,
  });
}

function harbour(): Kind {
  return defineKind({
    group: 'example.org',
    versions: [{ name: 'v1' }],
    kind: 'USBHarbour',
    plural: 'usbharbours',
    shortNames: [],
    scope: 'Cluster',
    description: 'A harbour.',
    columns: [],
    spec: shape({ name: 'HarbourSpec', description: 'Its gear.', fields: { engine: of(engine, 'A spare.') } }),
    hasStatus: false,
  });
}

interface Place extends AsyncDisposable {
  readonly path: string;
  options(kinds: readonly Kind[]): GenerateOptions;
}

async function folder(): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), 'smalt-kind-'));
  return {
    path,
    options: (kinds) => ({ kinds, root: pathToFileURL(`${path}/`), folder: 'domain/sea-api', isCheck: false }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

/** Runs the module as far as it is plain JavaScript: without its types. */
function evaluate(module: string): { readonly definitions: readonly string[] } {
  const body = module.replace(/export const definitions: readonly string\[\] =/, 'return');
  // oxlint-disable-next-line typescript/no-implied-eval -- the text was made by the function under test
  const definitions = new Function(body)() as readonly string[];
  return { definitions };
}

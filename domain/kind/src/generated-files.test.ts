import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { integer, shape } from './field-builders.ts';
import { boat, harbour } from './fixtures/sea-kinds.ts';
import { generatedFiles } from './generated-files.ts';

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

it('refuses two shapes by one name', () => {
  const other = shape({ name: 'Engine', description: '', fields: { power: integer('') } });
  const status = shape({ name: 'BoatStatus', description: '', fields: { engine: other } });

  expect(() => generatedFiles([boat({ status })], 'domain/sea-api')).toThrow('there are two shapes by the name Engine');
});

/** Runs the module as far as it is plain JavaScript: without its types. */
function evaluate(module: string): { readonly definitions: readonly string[] } {
  const body = module.replace(/export const definitions: readonly string\[\] =/, 'return');
  // oxlint-disable-next-line typescript/no-implied-eval -- the text was made by the function under test
  const definitions = new Function(body)() as readonly string[];
  return { definitions };
}

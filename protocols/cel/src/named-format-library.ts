import { ValueList } from './built-values.ts';
import { listOf, opaque, optionalOf, STRING, type OpaqueType } from './cel-type.ts';
import { CelOpaque, CelOptional, NONE } from './cel-value.ts';
import { instance, text } from './kinds.ts';
import { NAMED_FORMATS, type NamedFormat } from './named-formats.ts';
import { member, plain, type Library } from './overload.ts';

export const FORMAT_TYPE: OpaqueType = opaque('kubernetes.NamedFormat');

/** A format that a text can be checked against. */
export class CelFormat extends CelOpaque {
  readonly typeName: string = FORMAT_TYPE.name;
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    super();
    this.format = format;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelFormat && other.format === this.format;
  }
}

const formats: ReadonlyMap<string, CelFormat> = new Map(
  [...NAMED_FORMATS].map(([name, format]) => [name, new CelFormat(format)]),
);

export const NAMED_FORMAT_LIBRARY: Library = {
  ...Object.fromEntries(
    [...formats].map(([name, format]) => [`format.${name}`, [plain(`format.${name}`, [], FORMAT_TYPE, () => format)]]),
  ),
  'format.named': [
    plain('format-named', [text], optionalOf(FORMAT_TYPE), (name) => {
      const format = formats.get(name);
      return format === undefined ? NONE : new CelOptional(format);
    }),
  ],
  validate: [
    member(
      'format-validate',
      [instance(FORMAT_TYPE, CelFormat), text],
      optionalOf(listOf(STRING)),
      ({ format }, value) => {
        const problems = format.validate(value);
        return problems.length === 0 ? NONE : new CelOptional(new ValueList(problems));
      },
    ),
  ],
};

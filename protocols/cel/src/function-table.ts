import { AUTHORIZER, AUTHORIZER_LIBRARY } from './authorizer.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  UINT,
  type CelType,
} from './cel-type.ts';
import { CONVERSION_LIBRARY } from './conversion-library.ts';
import { LIST_LIBRARY } from './list-library.ts';
import { FORMAT_TYPE, NAMED_FORMAT_LIBRARY } from './named-format-library.ts';
import { CIDR_TYPE, IP_TYPE, NETWORK_LIBRARY } from './network-library.ts';
import { OPERATOR_LIBRARY } from './operator-library.ts';
import { OPTIONAL_LIBRARY } from './optional-library.ts';
import type { Overload } from './overload.ts';
import { QUANTITY_LIBRARY, QUANTITY_TYPE } from './quantity-library.ts';
import { SEMVER_LIBRARY, SEMVER_TYPE } from './semver-library.ts';
import { STRING_LIBRARY } from './string-library.ts';
import { TIME_LIBRARY } from './time-library.ts';
import { URL_LIBRARY, URL_TYPE } from './url-library.ts';

/** The types that expressions can name, such as in `type(x) == int`. */
export const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['int', INT],
  ['list', listOf(DYN)],
  ['map', mapOf(DYN, DYN)],
  ['null_type', NULL],
  ['optional_type', optionalOf(DYN)],
  ['string', STRING],
  ['type', { kind: 'type' }],
  ['uint', UINT],
  ...[AUTHORIZER, CIDR_TYPE, FORMAT_TYPE, IP_TYPE, QUANTITY_TYPE, SEMVER_TYPE, URL_TYPE].map(
    (type): [string, CelType] => [type.name, type],
  ),
]);

const FUNCTIONS: ReadonlyMap<string, readonly Overload[]> = mergeLibraries();

/** The overloads of a function, or undefined where there is no such function. */
export function findFunction(name: string): readonly Overload[] | undefined {
  return FUNCTIONS.get(name);
}

function mergeLibraries(): ReadonlyMap<string, readonly Overload[]> {
  const merged = new Map<string, Overload[]>();
  const libraries = [
    OPERATOR_LIBRARY,
    CONVERSION_LIBRARY,
    STRING_LIBRARY,
    TIME_LIBRARY,
    OPTIONAL_LIBRARY,
    LIST_LIBRARY,
    URL_LIBRARY,
    QUANTITY_LIBRARY,
    NETWORK_LIBRARY,
    NAMED_FORMAT_LIBRARY,
    SEMVER_LIBRARY,
    AUTHORIZER_LIBRARY,
  ];
  for (const library of libraries) {
    for (const [name, overloads] of Object.entries(library))
      merged.set(name, [...(merged.get(name) ?? []), ...overloads]);
  }
  return merged;
}

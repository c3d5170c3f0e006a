import type { Schema } from '@smalt/resource';

import { allowedTypes } from './check-type.ts';
import { findFormat } from './text-formats.ts';

/** The format of a schema when it is one that is checked; an unknown one, or one of another type, says nothing. */
export function supportedFormat(schema: Schema): string | undefined {
  const { format } = schema;
  if (format === undefined || format === '') return undefined;
  const types = allowedTypes(schema);
  const type = types.length === 1 ? types[0] : '';
  if (type === '' || type === 'string') return findFormat(format) === undefined ? undefined : format;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : undefined;
  return type === 'number' && (format === 'float' || format === 'double') ? format : undefined;
}

import { forbidden, invalid, notSupported, type FieldError } from '@smalt/resource';

import { badRequestError, invalidError } from '../errors/make-status-error.ts';
import { isTrue } from '../http/request-info.ts';

const NOT_NEGATIVE = 'must be greater than or equal to 0';
const POSITIVE = 'must be greater than 0';
const STREAMS = ['All', 'Stderr', 'Stdout'];

/** Which part of a log is wanted, in the words of the kubelet. Throws 422 when it makes no sense. */
export function logQuery(query: URLSearchParams, pod: string): URLSearchParams {
  const wanted = new URLSearchParams();
  for (const flag of ['follow', 'previous', 'timestamps']) if (isTrue(query.get(flag))) wanted.set(flag, 'true');
  const errors: FieldError[] = [];
  const number = (name: string, least: number, detail: string): void => {
    const text = query.get(name) ?? '';
    if (text === '') return;
    if (!/^-?\d+$/.test(text))
      throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    if (Number(text) < least) errors.push(invalid(name, Number(text), detail));
    wanted.set(name, text);
  };
  number('tailLines', 0, NOT_NEGATIVE);
  number('limitBytes', 1, POSITIVE);
  const sinceTime = query.get('sinceTime') ?? '';
  if (sinceTime !== '') wanted.set('sinceTime', sinceTime);
  if (sinceTime !== '' && query.has('sinceSeconds')) {
    errors.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else number('sinceSeconds', 1, POSITIVE);
  errors.push(...streamErrors(query));
  if (errors.length > 0) throw invalidError({ group: '', kind: 'PodLogOptions' }, pod, errors);
  return wanted;
}

function streamErrors(query: URLSearchParams): readonly FieldError[] {
  const stream = query.get('stream') ?? '';
  if (stream === '') return [];
  if (!STREAMS.includes(stream)) return [notSupported('stream', stream, STREAMS)];
  const isBoth = stream !== 'All' && query.has('tailLines');
  return isBoth ? [forbidden('', '`tailLines` and specific `stream` are mutually exclusive for now')] : [];
}

import { isOvsAgentError, type FieldProblem } from '../../ovs-agent-error.ts';
import type { CaptureFilter } from '../filter/capture-filter.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { fieldProblems, requireNone, requireObject } from '../request/check-fields.ts';
import { isInteger, isName, isText } from '../request/field-checks.ts';
import type { TroubleshootingSettings } from '../troubleshooting-settings.ts';
import type { CaptureTarget } from './plan-capture.ts';

const MOST_PACKETS = 10_000_000;
const MOST_SNAP_LENGTH = 262_144;
const LEAST_BYTES = 1_024;

/** A capture that was asked for. */
export interface CaptureRequest {
  readonly target: CaptureTarget;
  readonly filter: CaptureFilter | undefined;
  readonly seconds: number;
  readonly packets: number;
  readonly bytes: number;
  readonly snapLength: number;
}

export type CaptureMost = Pick<TroubleshootingSettings, 'mostCaptureSeconds' | 'mostCaptureBytes'>;

/** Reads the body of a request. All that is wrong with it is one error. */
export function readCaptureRequest(value: unknown, most: CaptureMost): CaptureRequest {
  const body = requireObject(value);
  const checks = {
    port: isName,
    bridge: isName,
    filter: isText(1_000),
    seconds: isInteger(1, most.mostCaptureSeconds),
    packets: isInteger(1, MOST_PACKETS),
    bytes: isInteger(LEAST_BYTES, most.mostCaptureBytes),
    snapLength: isInteger(14, MOST_SNAP_LENGTH),
  };
  const { filter, problems } = readFilter(body['filter']);
  const hasOne = (body['port'] === undefined) !== (body['bridge'] === undefined);
  const target = hasOne ? [] : [{ field: 'port', message: 'give either port or bridge' }];
  requireNone([...target, ...fieldProblems(body, checks), ...problems]);
  const numberOf = (name: string, otherwise: number): number => {
    const number = body[name];
    return typeof number === 'number' ? number : otherwise;
  };
  const { port, bridge } = body;
  return {
    target: typeof port === 'string' ? { kind: 'port', name: port } : { kind: 'bridge', name: textOf(bridge) },
    filter,
    seconds: numberOf('seconds', Math.min(30, most.mostCaptureSeconds)),
    packets: numberOf('packets', MOST_PACKETS),
    bytes: numberOf('bytes', most.mostCaptureBytes),
    snapLength: numberOf('snapLength', MOST_SNAP_LENGTH),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

interface ReadFilter {
  readonly filter: CaptureFilter | undefined;
  readonly problems: readonly FieldProblem[];
}

function readFilter(value: unknown): ReadFilter {
  if (typeof value !== 'string') return { filter: undefined, problems: [] };
  try {
    return { filter: parseFilter(value), problems: [] };
  } catch (error) {
    if (!isOvsAgentError(error, 'invalid-request')) throw error;
    return { filter: undefined, problems: error.problems };
  }
}

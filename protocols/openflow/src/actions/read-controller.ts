import { OpenFlowError } from '../openflow-error.ts';
import type { Cursor } from '../wire/cursor.ts';
import type { ControllerAction } from './action.ts';

const WHOLE_PACKET = 0xffff;
const BECAUSE_OF_ACTION = 1;
const PROPERTY_HEAD_BYTES = 4;
const Property = { maxLength: 0, controller: 1, reason: 2, userData: 3, pause: 4, meter: 5 } as const;

const PLAIN: ControllerAction = {
  kind: 'controller',
  maxLength: WHOLE_PACKET,
  controller: 0,
  reason: BECAUSE_OF_ACTION,
  userData: '',
  isPaused: false,
  meter: undefined,
};

/** Reads either generation of the action that sends to a controller; the later one is a list of properties. */
export function readController(body: Cursor, hasProperties: boolean): ControllerAction {
  if (hasProperties) return readProperties(body);
  const maxLength = body.uint16();
  const controller = body.uint16();
  return { ...PLAIN, maxLength, controller, reason: body.uint8() };
}

function readProperties(body: Cursor): ControllerAction {
  let action = PLAIN;
  while (body.remaining >= PROPERTY_HEAD_BYTES) {
    const type = body.uint16();
    const length = body.uint16();
    if (length < PROPERTY_HEAD_BYTES) throw new OpenFlowError('malformed', `a property of ${length} bytes`);
    const value = body.bytes(length - PROPERTY_HEAD_BYTES);
    body.skip(Math.min(body.remaining, (8 - (length % 8)) % 8));
    action = { ...action, ...readProperty(type, value) };
  }
  return action;
}

function readProperty(type: number, value: Buffer): Partial<ControllerAction> {
  if (type === Property.userData) return { userData: value.toString('hex') };
  if (type === Property.pause) return { isPaused: true };
  if (type === Property.meter && value.length >= 4) return { meter: value.readUInt32BE(value.length - 4) };
  if (value.length >= 1 && type === Property.reason) return { reason: value.readUInt8(0) };
  if (value.length >= 2 && type === Property.maxLength) return { maxLength: value.readUInt16BE(0) };
  if (value.length >= 2 && type === Property.controller) return { controller: value.readUInt16BE(0) };
  // What cannot be understood makes the whole action one that is shown as its bytes.
  throw new OpenFlowError('malformed', `property ${type} of ${value.length} bytes is not understood`);
}
